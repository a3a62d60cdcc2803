#include "tool/file_types.h"

#include <algorithm>

#include "base/strings.h"

namespace forge::tool {
namespace {

struct Row {
  const char* name;
  const char* globs;  // separated by spaces
};
constexpr Row kRows[] = {
    {"ada", "*.adb *.ads"},
    {"agda", "*.agda *.lagda"},
    {"aidl", "*.aidl"},
    {"amake", "*.bp *.mk"},
    {"asciidoc", "*.adoc *.asc *.asciidoc"},
    {"asm", "*.S *.asm *.s"},
    {"asp", "*.ascx *.ascx.cs *.ascx.vb *.aspx *.aspx.cs *.aspx.vb"},
    {"ats", "*.ats *.dats *.hats *.sats"},
    {"avro", "*.avdl *.avpr *.avsc"},
    {"awk", "*.awk"},
    {"bazel", "*.BUILD *.bazel *.bazelrc *.bzl BUILD WORKSPACE"},
    {"bitbake", "*.bb *.bbappend *.bbclass *.conf *.inc"},
    {"brotli", "*.br"},
    {"buildstream", "*.bst"},
    {"bzip2", "*.bz2 *.tbz2"},
    {"c", "*.[chH] *.[chH].in *.cats"},
    {"cabal", "*.cabal"},
    {"cbor", "*.cbor"},
    {"ceylon", "*.ceylon"},
    {"clojure", "*.clj *.cljc *.cljs *.cljx"},
    {"cmake", "*.cmake CMakeLists.txt"},
    {"coffeescript", "*.coffee"},
    {"config", "*.cfg *.conf *.config *.ini"},
    {"coq", "*.v"},
    {"cpp", "*.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl"},
    {"creole", "*.creole"},
    {"crystal", "*.cr *.ecr Projectfile shard.yml"},
    {"cs", "*.cs"},
    {"csharp", "*.cs"},
    {"cshtml", "*.cshtml"},
    {"css", "*.css *.scss"},
    {"csv", "*.csv"},
    {"cuda", "*.cu *.cuh"},
    {"cython", "*.pxd *.pxi *.pyx"},
    {"d", "*.d"},
    {"dart", "*.dart"},
    {"dhall", "*.dhall"},
    {"diff", "*.diff *.patch"},
    {"docker", "*Dockerfile*"},
    {"dvc", "*.dvc Dvcfile"},
    {"ebuild", "*.ebuild"},
    {"edn", "*.edn"},
    {"elisp", "*.el"},
    {"elixir", "*.eex *.ex *.exs *.heex *.leex"},
    {"elm", "*.elm"},
    {"erb", "*.erb"},
    {"erlang", "*.erl *.hrl"},
    {"fidl", "*.fidl"},
    {"fish", "*.fish"},
    {"flatbuffers", "*.fbs"},
    {"fortran", "*.F *.F77 *.F90 *.F95 *.f *.f77 *.f90 *.f95 *.pfo"},
    {"fsharp", "*.fs *.fsi *.fsx"},
    {"fut", ".fut"},
    {"gap", "*.g *.gap *.gd *.gi *.tst"},
    {"gn", "*.gn *.gni"},
    {"go", "*.go"},
    {"gradle", "*.gradle"},
    {"graphql", "*.graphql *.graphqls"},
    {"groovy", "*.gradle *.groovy"},
    {"gzip", "*.gz *.tgz"},
    {"h", "*.h *.hpp"},
    {"haml", "*.haml"},
    {"haskell", "*.c2hs *.cpphs *.hs *.hsc *.lhs"},
    {"hbs", "*.hbs"},
    {"hs", "*.c2hs *.cpphs *.hs *.hsc *.lhs"},
    {"html", "*.ejs *.htm *.html"},
    {"idris", "*.idr *.lidr"},
    {"java", "*.java *.jsp *.jspx *.properties"},
    {"jinja", "*.j2 *.jinja *.jinja2"},
    {"jl", "*.jl"},
    {"js", "*.js *.jsx *.vue"},
    {"json", "*.json composer.lock"},
    {"jsonl", "*.jsonl"},
    {"julia", "*.jl"},
    {"jupyter", "*.ipynb *.jpynb"},
    {"k", "*.k"},
    {"kotlin", "*.kt *.kts"},
    {"less", "*.less"},
    {"license",
     "*[.-]LICEN[CS]E* AGPL-*[0-9]* APACHE-*[0-9]* BSD-*[0-9]* CC-BY-* COPYING COPYING[.-]* COPYRIGHT "
     "COPYRIGHT[.-]* EULA EULA[.-]* GFDL-*[0-9]* GNU-*[0-9]* GPL-*[0-9]* LGPL-*[0-9]* LICEN[CS]E LICEN[CS]E[.-]* "
     "MIT-*[0-9]* MPL-*[0-9]* NOTICE NOTICE[.-]* OFL-*[0-9]* PATENTS PATENTS[.-]* UNLICEN[CS]E UNLICEN[CS]E[.-]* "
     "agpl[.-]* gpl[.-]* lgpl[.-]* licen[cs]e licen[cs]e.*"},
    {"lisp", "*.el *.jl *.lisp *.lsp *.sc *.scm"},
    {"lock", "*.lock package-lock.json"},
    {"log", "*.log"},
    {"lua", "*.lua"},
    {"lz4", "*.lz4"},
    {"lzma", "*.lzma"},
    {"m4", "*.ac *.m4"},
    {"make",
     "*.mak *.mk [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile [Mm]akefile.am "
     "[Mm]akefile.in"},
    {"mako", "*.mako *.mao"},
    {"man", "*.[0-9][cEFMmpSx] *.[0-9lnpx]"},
    {"markdown", "*.markdown *.md *.mdown *.mkdn"},
    {"matlab", "*.m"},
    {"md", "*.markdown *.md *.mdown *.mkdn"},
    {"meson", "meson.build meson_options.txt"},
    {"minified", "*.min.css *.min.html *.min.js"},
    {"mint", "*.mint"},
    {"mk", "mkfile"},
    {"ml", "*.ml"},
    {"msbuild", "*.csproj *.fsproj *.proj *.props *.targets *.vcxproj"},
    {"nim", "*.nim *.nimble *.nimf *.nims"},
    {"nix", "*.nix"},
    {"objc", "*.h *.m"},
    {"objcpp", "*.h *.mm"},
    {"ocaml", "*.ml *.mli *.mll *.mly"},
    {"org", "*.org *.org_archive"},
    {"pascal", "*.dpr *.inc *.lpr *.pas *.pp"},
    {"pdf", "*.pdf"},
    {"perl", "*.PL *.perl *.pl *.plh *.plx *.pm *.t"},
    {"php", "*.php *.php3 *.php4 *.php5 *.phtml"},
    {"po", "*.po"},
    {"pod", "*.pod"},
    {"postscript", "*.eps *.ps"},
    {"protobuf", "*.proto"},
    {"ps", "*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1"},
    {"puppet", "*.epp *.erb *.pp *.rb"},
    {"purs", "*.purs"},
    {"py", "*.py"},
    {"python", "*.py"},
    {"qmake", "*.prf *.pri *.pro"},
    {"qml", "*.qml"},
    {"r", "*.R *.Rmd *.Rnw *.r"},
    {"racket", "*.rkt"},
    {"rdoc", "*.rdoc"},
    {"readme", "*README README*"},
    {"red", "*.r *.red *.reds"},
    {"robot", "*.robot"},
    {"rst", "*.rst"},
    {"ruby", "*.gemspec *.rb *.rbw .irbrc Gemfile Rakefile config.ru"},
    {"rust", "*.rs"},
    {"sass", "*.sass *.scss"},
    {"scala", "*.sbt *.scala"},
    {"sh",
     "*.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout .bash_profile .bashrc "
     ".cshrc .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc bash_login "
     "bash_logout bash_profile bashrc profile zlogin zlogout zprofile zshenv zshrc"},
    {"slim", "*.skim *.slim *.slime"},
    {"smarty", "*.tpl"},
    {"sml", "*.sig *.sml"},
    {"solidity", "*.sol"},
    {"soy", "*.soy"},
    {"spark", "*.spark"},
    {"spec", "*.spec"},
    {"sql", "*.psql *.sql"},
    {"stylus", "*.styl"},
    {"sv", "*.h *.sv *.svh *.v *.vg"},
    {"svelte", "*.svelte"},
    {"svg", "*.svg"},
    {"swift", "*.swift"},
    {"swig", "*.def *.i"},
    {"systemd",
     "*.automount *.conf *.device *.link *.mount *.path *.scope *.service *.slice *.socket *.swap *.target *.timer"},
    {"taskpaper", "*.taskpaper"},
    {"tcl", "*.tcl"},
    {"tex", "*.bib *.cls *.dtx *.ins *.ltx *.sty *.tex"},
    {"textile", "*.textile"},
    {"tf", "*.tf"},
    {"thrift", "*.thrift"},
    {"toml", "*.toml Cargo.lock"},
    {"ts", "*.ts *.tsx"},
    {"twig", "*.twig"},
    {"txt", "*.txt"},
    {"typescript", "*.ts *.tsx"},
    {"typoscript", "*.ts *.typoscript"},
    {"vala", "*.vala"},
    {"vb", "*.vb"},
    {"vcl", "*.vcl"},
    {"verilog", "*.sv *.svh *.v *.vh"},
    {"vhdl", "*.vhd *.vhdl"},
    {"vim", "*.vim"},
    {"vimscript", "*.vim"},
    {"webidl", "*.idl *.webidl *.widl"},
    {"wiki", "*.mediawiki *.wiki"},
    {"xml", "*.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt"},
    {"xz", "*.txz *.xz"},
    {"yacc", "*.y"},
    {"yaml", "*.yaml *.yml"},
    {"yang", "*.yang"},
    {"z", "*.Z"},
    {"zig", "*.zig"},
    {"zsh", "*.zsh .zlogin .zlogout .zprofile .zshenv .zshrc zlogin zlogout zprofile zshenv zshrc"},
    {"zstd", "*.zst *.zstd"},
};

bool IsName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

}  // namespace

FileTypes::FileTypes() {
  for (const Row& row : kRows) {
    for (const std::string_view glob : Split(row.globs, ' ')) types_[row.name].emplace_back(glob);
  }
}

std::optional<std::string> FileTypes::Add(std::string_view rule) {
  constexpr std::string_view kInclude = "include:";
  const std::size_t colon = rule.find(':');
  const std::string name(rule.substr(0, colon));
  if (colon == std::string_view::npos || colon + 1 == rule.size() || !IsName(name)) {
    return "write it as NAME:GLOB or NAME:include:OTHER; a name has letters and digits";
  }
  const std::string_view value = rule.substr(colon + 1);
  if (!value.starts_with(kInclude)) {
    types_[name].emplace_back(value);
    return std::nullopt;
  }
  for (const std::string_view other : Split(value.substr(kInclude.size()), ',')) {
    const auto globs = Globs(std::string(other));
    if (!globs) return "there is no type " + std::string(other);
    types_[name].insert(types_[name].end(), globs->begin(), globs->end());
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> FileTypes::Globs(const std::string& name) const {
  if (name == "all") {
    std::vector<std::string> all;
    for (const auto& [type, globs] : types_) all.insert(all.end(), globs.begin(), globs.end());
    return all;
  }
  const auto found = types_.find(name);
  if (found == types_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> FileTypes::Names() const {
  std::vector<std::string> names;
  names.reserve(types_.size());
  for (const auto& [name, globs] : types_) names.push_back(name);
  return names;
}

std::string_view FileTypes::Nearest(std::string_view name) const {
  std::vector<std::string_view> known;
  for (const auto& [type, globs] : types_) known.push_back(type);
  return NearestWord(name, known);
}

std::string FileTypes::List() const {
  std::string out;
  for (const auto& [name, globs] : types_) {
    out += name + ":";
    for (std::size_t i = 0; i < globs.size(); ++i) out += (i == 0 ? " " : ", ") + globs[i];
    out += "\n";
  }
  return out;
}

}  // namespace forge::tool
