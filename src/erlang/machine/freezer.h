// Saving and restoring: every process, and what belongs to none, as one stored tuple each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "erlang/machine/code.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/machine/process_image.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class Freezer final : public MachinePart {
 public:
  explicit Freezer(Machine& its_machine);

  // Appends the state to `words`: everything as stored terms.
  void save(std::vector<Term>& words);
  void restore(std::span<const Term> words);
  // Stores everything, so that what the last operation has noted refers to stored terms.
  void store_state();
  // Frees stored terms that neither the machine, nor `at_start`, nor `saved` reaches, if that pays.
  void collect_store_if_due(std::span<Term> at_start, Roots& saved);
  // The system's processes, from now on, are as in this saved state, which need not be saved as long as they
  // stay so.
  void note_system(std::span<const Term> words);
  std::vector<Term>& system_words() { return system_words_; }  // roots of the store

  // Images are kept in this table from now on; null: in the store again. Then nothing that was saved before
  // may be restored but what note_system() was told, and the words that were saved without a table.
  void use_images(ImageTable* images);
  ImageParts parts_of(Term image) const;
  Term image_of(const ImageParts& parts);

  void freeze(Process& process);
  void thaw(Process& process, Term image);
  // The process awake: its top frame on the stack, ready to run.
  void wake(Process& process);
  // Puts the next frozen frame on the stack; returns where its function goes on.
  const CodeWord* thaw_frame(Process& process);

  // Something of the state that no process owns has changed.
  void note_shared_change() { shared_image_ = Term::none(); }

 private:
  Term freeze_attributes(Process& process);
  void thaw_attributes(Process& process, Term image);
  Term freeze_stack(Process& process, const CodeWord* resume);
  void empty_nursery();
  bool has_shared_changed() const;  // since it was frozen or thawed
  Term freeze_shared();
  void thaw_shared(Term image);

  ImageTable* images_ = nullptr;
  Term shared_image_ = Term::none();  // of what no process owns, if unchanged
  std::vector<Term> system_words_;    // pid, image of the system's processes when it was started
  Term empty_tuple_;                  // stored
  std::vector<Term> scratch_;
  std::vector<Term*> frames_;
};

}  // namespace ravel::erlang
