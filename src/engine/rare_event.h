// What few systems do, or seldom: a bug that needs such an event is told as one that does.

#pragma once

#include <cstdint>

namespace ravel {

enum class RareEvent : std::uint8_t {
  kNone,
  kEarlyTimeout,       // time passed so far although somebody could have gone on
  kOvertakingMessage,  // a message was there before another process's message to the same receiver, although
                       // it was sent because of that one
  kSpuriousWakeUp,     // a wait woke up, or a weak exchange failed, without a reason
  kKill,               // an actor was killed, and nobody did it
  kLostMessage,
  kDuplicatedMessage,
};

}  // namespace ravel
