// The tags of the external term format.
#pragma once

#include <cstdint>

namespace ravel::erlang::external_format {

inline constexpr std::uint8_t kVersion = 131;

enum Tag : std::uint8_t {
  kCompressed = 80,
  kNativeRecord = 67,
  kNewFloat = 70,
  kBitBinary = 77,
  kNewPid = 88,
  kNewPort = 89,
  kNewerReference = 90,
  kSmallInteger = 97,
  kInteger = 98,
  kFloatText = 99,
  kAtomLatin1 = 100,
  kReference = 101,
  kPort = 102,
  kPid = 103,
  kSmallTuple = 104,
  kLargeTuple = 105,
  kNil = 106,
  kString = 107,
  kList = 108,
  kBinary = 109,
  kSmallBig = 110,
  kLargeBig = 111,
  kNewFun = 112,
  kExport = 113,
  kNewReference = 114,
  kSmallAtomLatin1 = 115,
  kMap = 116,
  kAtomUtf8 = 118,
  kSmallAtomUtf8 = 119,
  kV4Port = 120,
};

}  // namespace ravel::erlang::external_format
