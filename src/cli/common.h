// What the commands share: configuration, engine, tools, messages.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cli/cli.h"
#include "cli/command.h"
#include "config/load.h"
#include "forge/engine.h"
#include "forge/result.h"
#include "tool/registry.h"

namespace forge::cli {

// Each command says from which profile it starts (R8).
Result<config::Loaded> LoadConfig(const GlobalOptions& global, const Host& host, config::Profile profile);

// Loads the configuration and prints its warnings to standard error.
Result<config::Loaded> LoadConfigAndWarn(const GlobalOptions& global, Host& host, config::Profile profile);

Result<std::unique_ptr<Engine>> CreateEngine(const GlobalOptions& global, const config::Loaded& loaded, Host& host);

// Prints what the engine could not do as configured as warnings to standard
// error: another backend, no place for the index.
void Warn(const Engine& engine, Host& host);

// The same for people who search. About the index only if a source asks for one:
// that the home folder has none, say, is nothing to hear with each search.
void WarnPeople(const Engine& engine, const config::Loaded& loaded, Host& host);

// " (word)"; "" for no word.
std::string InBrackets(std::string_view word);

// The folder of --cwd, else the current one; "" if that is gone.
std::string WorkingFolder(const GlobalOptions& global);

// The setting that switches Search off, with its place; "" if it is on. Absent
// means on: a user who starts this program wants to search (R8).
std::string SearchDisabledBy(const config::Loaded& loaded);

// The same for keyword_search, which cannot be on where searching is off.
std::string KeywordDisabledBy(const config::Loaded& loaded);

// The specified tools, which `call` and `schema` offer. `engine` must outlive the
// registry.
Status AddTools(const config::Loaded& loaded, const std::function<Result<std::shared_ptr<Engine>>()>& engine,
                tool::Registry& registry);

// Messages go to standard error, without bytes that could control a terminal.
//
// "forge-search: ..."
void Note(Host& host, std::string_view text);
// "forge-search: error: ..." and, if there is one, "  hint: ...". Returns
// kExitError.
int Fail(Host& host, std::string_view message, std::string_view hint = "");
int Fail(Host& host, const Error& error);

}  // namespace forge::cli
