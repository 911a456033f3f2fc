#include "erlang/system/plain_logging.h"

#include <optional>
#include <string_view>
#include <vector>

#include "erlang/term/header.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

class Configuration {
 public:
  explicit Configuration(const Names& names) : names_(names) {}

  // Whether one row only prints: the key says what it configures.
  bool prints_only(Term row) const {
    if (!is_tuple_of(row, 2) || !is_map(element(row, 2)) || !calls_only_filters(row)) return false;
    const Term key = element(row, 1), settings = element(row, 2);
    const bool is_handler = is_tuple_of(key, 2);
    return !is_handler || is_printer(settings);
  }

 private:
  bool is_atom(Term t, std::string_view text) const { return t.is_atom() && names_.atoms.text(t) == text; }
  Term get(Term map, std::string_view key) const {
    const std::optional<Term> atom = names_.atoms.find(key);
    const Term found = atom && is_map(map) ? map_get(names_, map, *atom) : Term::none();
    return found.is_none() ? Term::nil() : found;
  }

  bool is_printer(Term settings) const {
    const Term formatter = get(settings, "formatter"), device = get(get(settings, "config"), "type");
    return is_atom(get(settings, "module"), "logger_std_h") &&
           (is_atom(device, "standard_io") || is_atom(device, "standard_error")) &&
           is_tuple_of(formatter, 2) && is_atom(element(formatter, 1), "logger_formatter");
  }

  // Whether the only functions in a term are those that OTP has for filters.
  bool calls_only_filters(Term term) const {
    std::vector<Term> pending{term};
    while (!pending.empty()) {
      const Term t = pending.back();
      pending.pop_back();
      if (t.is_cons()) {
        pending.insert(pending.end(), {t.head(), t.tail()});
      } else if (is_tuple(t)) {
        for (Word i = 1; i <= tuple_size(t); ++i) pending.push_back(element(t, i));
      } else if (is_map(t)) {
        for (MapIterator pairs(t); pairs.next();) pending.insert(pending.end(), {pairs.key(), pairs.value()});
      } else if (is_fun(t)) {
        if (kind_of(t.header()) != Kind::kExternalFun || !is_atom(t.object()[1], "logger_filters"))
          return false;
      }
    }
    return true;
  }

  const Names& names_;
};

Table* logger_table(const Machine& machine) { return machine.tables.named(atoms::kLogger); }

}  // namespace

void PlainLogging::look(Machine& machine) {
  Table* const table = logger_table(machine);
  const std::optional<Term> name = machine.names.atoms.find("logger_proxy");
  if (table == nullptr || !name) return;
  proxy_ = machine.registry.whereis(*name);
  const Configuration configuration(machine.names);
  for (const RowGroup& group : TableRows(machine.heap, machine.names, *table).all())
    if (!configuration.prints_only(group.rows)) return;
  rows_ = table->rows;
}

bool PlainLogging::is_served_by(const Machine& machine, const Process& process) const {
  if (rows_.is_none() || process.pid != proxy_) return false;
  const Table* const table = logger_table(machine);
  return table != nullptr && table->rows == rows_;
}

}  // namespace ravel::erlang
