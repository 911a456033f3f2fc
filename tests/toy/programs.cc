#include "tests/toy/programs.h"

namespace ravel::toy {

std::vector<std::vector<Operation>> all_sequences(const std::vector<Operation>& alphabet,
                                                  std::size_t operations_max) {
  std::vector<std::vector<Operation>> sequences = {{}};
  std::size_t begin = 0;
  for (std::size_t length = 1; length <= operations_max; ++length) {
    const std::size_t end = sequences.size();
    for (std::size_t i = begin; i < end; ++i) {
      for (const Operation& operation : alphabet) {
        std::vector<Operation> longer = sequences[i];
        longer.push_back(operation);
        sequences.push_back(std::move(longer));
      }
    }
    begin = end;
  }
  return sequences;
}

namespace {

void extend(const std::vector<std::vector<Operation>>& sequences, std::size_t from, std::size_t actors,
            Program& program, std::vector<Program>& programs) {
  if (program.size() == actors) {
    programs.push_back(program);
    return;
  }
  for (std::size_t i = from; i < sequences.size(); ++i) {
    program.push_back(sequences[i]);
    extend(sequences, i, actors, program, programs);
    program.pop_back();
  }
}

}  // namespace

std::vector<Program> all_programs(const std::vector<std::vector<Operation>>& sequences, std::size_t actors) {
  std::vector<Program> programs;
  Program program;
  extend(sequences, 0, actors, program, programs);
  return programs;
}

Program random_program(Random& random, const std::vector<Operation>& alphabet, std::size_t actors,
                       std::size_t operations) {
  Program program(actors);
  for (auto& actor : program) {
    for (std::size_t i = 0; i < operations; ++i) actor.push_back(alphabet[random.below(alphabet.size())]);
  }
  return program;
}

}  // namespace ravel::toy
