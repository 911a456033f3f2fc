#include "erlang/bif/pcre8_characters.h"

#include <algorithm>
#include <array>

#include "erlang/bif/latin1_tables.h"

namespace ravel::erlang {

namespace {

constexpr auto kCategories = std::to_array<std::string_view>({
    "Any", "C",  "Cc", "Cf", "Cn", "Co",  "Cs",  "L",   "L&",  "Ll",  "Lm", "Lo", "Lt", "Lu", "M",
    "Mc",  "Me", "Mn", "N",  "Nd", "Nl",  "No",  "P",   "Pc",  "Pd",  "Pe", "Pf", "Pi", "Po", "Ps",
    "S",   "Sc", "Sk", "Sm", "So", "Xan", "Xps", "Xsp", "Xuc", "Xwd", "Z",  "Zl", "Zp", "Zs",
});
static_assert(std::ranges::is_sorted(kCategories));

// The scripts of Unicode 7.
constexpr auto kScripts = std::to_array<std::string_view>({
    "Arabic",
    "Armenian",
    "Avestan",
    "Balinese",
    "Bamum",
    "Bassa_Vah",
    "Batak",
    "Bengali",
    "Bopomofo",
    "Brahmi",
    "Braille",
    "Buginese",
    "Buhid",
    "Canadian_Aboriginal",
    "Carian",
    "Caucasian_Albanian",
    "Chakma",
    "Cham",
    "Cherokee",
    "Common",
    "Coptic",
    "Cuneiform",
    "Cypriot",
    "Cyrillic",
    "Deseret",
    "Devanagari",
    "Duployan",
    "Egyptian_Hieroglyphs",
    "Elbasan",
    "Ethiopic",
    "Georgian",
    "Glagolitic",
    "Gothic",
    "Grantha",
    "Greek",
    "Gujarati",
    "Gurmukhi",
    "Han",
    "Hangul",
    "Hanunoo",
    "Hebrew",
    "Hiragana",
    "Imperial_Aramaic",
    "Inherited",
    "Inscriptional_Pahlavi",
    "Inscriptional_Parthian",
    "Javanese",
    "Kaithi",
    "Kannada",
    "Katakana",
    "Kayah_Li",
    "Kharoshthi",
    "Khmer",
    "Khojki",
    "Khudawadi",
    "Lao",
    "Latin",
    "Lepcha",
    "Limbu",
    "Linear_A",
    "Linear_B",
    "Lisu",
    "Lycian",
    "Lydian",
    "Mahajani",
    "Malayalam",
    "Mandaic",
    "Manichaean",
    "Meetei_Mayek",
    "Mende_Kikakui",
    "Meroitic_Cursive",
    "Meroitic_Hieroglyphs",
    "Miao",
    "Modi",
    "Mongolian",
    "Mro",
    "Myanmar",
    "Nabataean",
    "New_Tai_Lue",
    "Nko",
    "Ogham",
    "Ol_Chiki",
    "Old_Italic",
    "Old_North_Arabian",
    "Old_Permic",
    "Old_Persian",
    "Old_South_Arabian",
    "Old_Turkic",
    "Oriya",
    "Osmanya",
    "Pahawh_Hmong",
    "Palmyrene",
    "Pau_Cin_Hau",
    "Phags_Pa",
    "Phoenician",
    "Psalter_Pahlavi",
    "Rejang",
    "Runic",
    "Samaritan",
    "Saurashtra",
    "Sharada",
    "Shavian",
    "Siddham",
    "Sinhala",
    "Sora_Sompeng",
    "Sundanese",
    "Syloti_Nagri",
    "Syriac",
    "Tagalog",
    "Tagbanwa",
    "Tai_Le",
    "Tai_Tham",
    "Tai_Viet",
    "Takri",
    "Tamil",
    "Telugu",
    "Thaana",
    "Thai",
    "Tibetan",
    "Tifinagh",
    "Tirhuta",
    "Ugaritic",
    "Vai",
    "Warang_Citi",
    "Yi",
});
static_assert(std::ranges::is_sorted(kScripts));

// Where the tables have bit maps of the classes, and which of them is that of words.
constexpr std::size_t kWordMap = 512 + 5 * 32;

}  // namespace

bool is_word_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (latin1_tables()[kWordMap + byte / 8] >> byte % 8 & 1) != 0;
}

bool is_pcre8_script(std::string_view name) { return std::ranges::binary_search(kScripts, name); }

bool is_pcre8_property(std::string_view name) {
  return std::ranges::binary_search(kCategories, name) || is_pcre8_script(name);
}

}  // namespace ravel::erlang
