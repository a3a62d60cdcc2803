// The postings of a tree, without catalog and store: how fast they are built,
// how large they are, and what a query costs.
//
//   cmake --preset release -DFORGE_BENCH=ON && ninja -C build/release index_micro
//   build/release/index_micro TREE [threads]
//
// Rates are bytes of text by processor time of the threads, without reading. So
// a busy machine gives the same numbers.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "index/postings/postings_segment.h"
#include "index/segment/segment.h"
#include "index/snapshot/open_segment.h"

namespace forge::index {
namespace {

namespace fs = std::filesystem;

struct Work {
  double build_s = 0;
  double finish_s = 0;
  std::uint64_t text = 0;
  std::size_t peak = 0;  // memory of a builder
  std::vector<std::string> images;
};

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::vector<std::string> SortedFiles(const fs::path& tree) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(tree)) {
    if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void ReadFile(const std::string& path, std::string& out) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  out.clear();
  if (file == nullptr) return;
  out.resize(fs::file_size(path));
  out.resize(std::fread(out.data(), 1, out.size(), file));
  std::fclose(file);
}

void FinishInto(SegmentBuilder& builder, Work& work) {
  work.peak = std::max(work.peak, builder.memory());
  const double start = CpuSeconds();
  work.images.push_back(builder.Finish());
  work.finish_s += CpuSeconds() - start;
}

Work Build(const std::vector<std::string>& files, std::size_t begin, std::size_t end) {
  Work work;
  const auto builder = MakePostingsBuilder();
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    ReadFile(files[i], text);
    if (!builder->Fits(text.size())) FinishInto(*builder, work);
    const double start = CpuSeconds();
    builder->Add(text);
    work.build_s += CpuSeconds() - start;
    work.text += text.size();
  }
  if (builder->docs() != 0) FinishInto(*builder, work);
  return work;
}

NgramPlan PlanFor(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  std::vector<NgramPlan> grams;
  const std::size_t size = std::min<std::size_t>(text.size(), 3);
  for (std::size_t i = 0; i + size <= text.size(); ++i) {
    grams.push_back({NgramPlan::Kind::kGram, text.substr(i, size), {}});
  }
  if (grams.size() == 1) return grams[0];
  return {NgramPlan::Kind::kAnd, "", grams};
}

double Microseconds(const std::vector<std::shared_ptr<const Segment>>& segments, const TokenQuery& query) {
  const auto start = std::chrono::steady_clock::now();
  for (const auto& segment : segments) {
    if (!segment->Candidates(query)) std::abort();
  }
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

void Query(const std::vector<std::shared_ptr<const Segment>>& segments, const char* text) {
  const TokenQuery query{PlanFor(text), {}, false};
  const double first = Microseconds(segments, query);
  double best = first;
  for (int i = 0; i < 20; ++i) best = std::min(best, Microseconds(segments, query));
  std::uint64_t blocks = 0;
  std::uint64_t bytes = 0;
  for (const auto& segment : segments) {
    const DocSet set = *segment->Candidates(query);
    for (std::uint32_t doc = set.Next(0); doc < set.size(); doc = set.Next(doc + 1)) {
      ++blocks;
      bytes += segment->Blocks(doc, 1)[0].size;
    }
  }
  std::printf("  %-28s %9.0f us first %9.1f us best %8llu blocks %8.2f MB\n", text, first, best,
              static_cast<unsigned long long>(blocks), static_cast<double>(bytes) * 1e-6);
}

void Report(std::vector<Work> works) {
  std::vector<std::shared_ptr<const Segment>> segments;
  std::uint64_t text = 0;
  std::uint64_t image = 0;
  std::uint64_t docs = 0;
  double build_s = 0;
  double finish_s = 0;
  std::size_t peak = 0;
  std::size_t opened = 0;
  for (Work& work : works) {
    text += work.text;
    build_s += work.build_s;
    finish_s += work.finish_s;
    peak = std::max(peak, work.peak);
    for (std::string& bytes : work.images) {
      const std::size_t size = bytes.size();
      bytes.shrink_to_fit();
      image += size;
      auto segment = OpenSegment(InMemory(std::move(bytes)));
      if (!segment) std::abort();
      docs += (*segment)->doc_count();
      opened += (*segment)->memory() - size;
      segments.push_back(*segment);
    }
  }
  const double mb = static_cast<double>(text) * 1e-6;
  std::printf("%.0f MB, %llu documents, %zu segments\n", mb, static_cast<unsigned long long>(docs), segments.size());
  std::printf("add %.2f s, finish %.2f s: %.0f MB/s a core\n", build_s, finish_s, mb / (build_s + finish_s));
  std::printf("image %.1f MB = %.2f %%, opened %.1f MB, builder %.0f MB\n", static_cast<double>(image) * 1e-6,
              100.0 * static_cast<double>(image) / static_cast<double>(text), static_cast<double>(opened) * 1e-6,
              static_cast<double>(peak) * 1e-6);
  for (const char* query :
       {"zzqqxx_does_not_exist", "kmem_cache_create_usercopy", "EXPORT_SYMBOL_GPL", "return -ENOMEM", "qj"}) {
    Query(segments, query);
  }
}

int Main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::vector<std::string> files = SortedFiles(argv[1]);
  const std::size_t threads = argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 1;
  std::vector<Work> works(threads);
  std::vector<std::thread> running;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < threads; ++i) {
    running.emplace_back(
        [&, i] { works[i] = Build(files, files.size() * i / threads, files.size() * (i + 1) / threads); });
  }
  for (std::thread& thread : running) thread.join();
  std::printf("%.2f s on %zu threads, with reading\n",
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), threads);
  Report(std::move(works));
  return 0;
}

}  // namespace
}  // namespace forge::index

int main(int argc, char** argv) { return forge::index::Main(argc, argv); }
