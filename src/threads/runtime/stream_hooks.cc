// The calls by which a program reads and writes streams: each is the C library's, and a use of the stream.

#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "threads/runtime/export.h"
#include "threads/runtime/next_function.h"
#include "threads/runtime/open_files.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/system_writes.h"

// Some functions are macros in the headers, too.
#undef putc
#undef getc

// `output`: where the system may write to by itself, past the stream's own buffer, and how much.
#define RAVEL_STREAM_CALL_INTO(output, use, stream, result, name, parameters, arguments, exceptions) \
  RAVEL_EXPORT result name parameters exceptions {                                                   \
    use_stream(stream, FileUse::use, RAVEL_CALLER);                                                  \
    let_system_write output;                                                                         \
    if (FileUse::use != FileUse::kLooks) let_system_fill(stream);                                    \
    return RAVEL_NEXT(name) arguments;                                                               \
  }
#define RAVEL_STREAM_CALL(use, stream, result, name, parameters, arguments, exceptions) \
  RAVEL_STREAM_CALL_INTO((nullptr, 0), use, stream, result, name, parameters, arguments, exceptions)

// What the compiler calls with checks of sizes, or under the name of another standard.
extern "C" {
ssize_t __getdelim(char** line, std::size_t* size, int end, FILE* stream);
int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list more);
char* __fgets_chk(char* text, std::size_t room, int size, FILE* stream);
char* __fgets_unlocked_chk(char* text, std::size_t room, int size, FILE* stream);
std::size_t __fread_chk(void* bytes, std::size_t room, std::size_t size, std::size_t count, FILE* stream);
std::size_t __fread_unlocked_chk(void* bytes, std::size_t room, std::size_t size, std::size_t count,
                                 FILE* stream);
int __isoc99_fscanf(FILE* stream, const char* format, ...);
int __isoc99_scanf(const char* format, ...);
int __isoc99_vfscanf(FILE* stream, const char* format, va_list more);
int __isoc99_vscanf(const char* format, va_list more);
int __printf_chk(int flag, const char* format, ...);
int __fprintf_chk(FILE* stream, int flag, const char* format, ...);
}

namespace ravel::threads {

namespace {

void use_all_streams(std::uint64_t pc) { use_library(changes(LibraryState::kStreams), pc); }

}  // namespace

RAVEL_STREAM_CALL(kWrites, stream, int, fputs, (const char* text, FILE* stream), (text, stream), )
RAVEL_STREAM_CALL(kWrites, stream, int, fputs_unlocked, (const char* text, FILE* stream), (text, stream), )
RAVEL_STREAM_CALL(kWrites, stream, int, fputc, (int byte, FILE* stream), (byte, stream), )
RAVEL_STREAM_CALL(kWrites, stream, int, putc, (int byte, FILE* stream), (byte, stream), )
RAVEL_STREAM_CALL(kWrites, stream, int, fputc_unlocked, (int byte, FILE* stream), (byte, stream), )
RAVEL_STREAM_CALL(kWrites, stream, int, putc_unlocked, (int byte, FILE* stream), (byte, stream), )
RAVEL_STREAM_CALL(kWrites, stream, int, putw, (int word, FILE* stream), (word, stream), )
RAVEL_STREAM_CALL(kWrites, stream, std::size_t, fwrite,
                  (const void* bytes, std::size_t size, std::size_t count, FILE* stream),
                  (bytes, size, count, stream), )
RAVEL_STREAM_CALL(kWrites, stream, std::size_t, fwrite_unlocked,
                  (const void* bytes, std::size_t size, std::size_t count, FILE* stream),
                  (bytes, size, count, stream), )
RAVEL_STREAM_CALL_INTO((bytes, size* count), kReads, stream, std::size_t, fread,
                       (void* bytes, std::size_t size, std::size_t count, FILE* stream),
                       (bytes, size, count, stream), )
RAVEL_STREAM_CALL_INTO((bytes, size* count), kReads, stream, std::size_t, fread_unlocked,
                       (void* bytes, std::size_t size, std::size_t count, FILE* stream),
                       (bytes, size, count, stream), )
RAVEL_STREAM_CALL(kReads, stream, char*, fgets, (char* text, int size, FILE* stream), (text, size, stream), )
RAVEL_STREAM_CALL(kReads, stream, char*, fgets_unlocked, (char* text, int size, FILE* stream),
                  (text, size, stream), )
RAVEL_STREAM_CALL(kReads, stream, int, fgetc, (FILE * stream), (stream), )
RAVEL_STREAM_CALL(kReads, stream, int, getc, (FILE * stream), (stream), )
RAVEL_STREAM_CALL(kReads, stream, int, fgetc_unlocked, (FILE * stream), (stream), )
RAVEL_STREAM_CALL(kReads, stream, int, getc_unlocked, (FILE * stream), (stream), )
RAVEL_STREAM_CALL(kReads, stream, int, getw, (FILE * stream), (stream), )
RAVEL_STREAM_CALL(kReads, stream, int, ungetc, (int byte, FILE* stream), (byte, stream), )
RAVEL_STREAM_CALL(kReads, stream, ssize_t, getline, (char** line, std::size_t* size, FILE* stream),
                  (line, size, stream), )
RAVEL_STREAM_CALL(kReads, stream, ssize_t, getdelim, (char** line, std::size_t* size, int end, FILE* stream),
                  (line, size, end, stream), )
RAVEL_STREAM_CALL(kReads, stream, ssize_t, __getdelim,
                  (char** line, std::size_t* size, int end, FILE* stream), (line, size, end, stream), )
RAVEL_STREAM_CALL(kWrites, stream, int, fseek, (FILE * stream, long offset, int from),
                  (stream, offset, from), )
RAVEL_STREAM_CALL(kWrites, stream, int, fseeko, (FILE * stream, off_t offset, int from),
                  (stream, offset, from), )
RAVEL_STREAM_CALL(kWrites, stream, int, fseeko64, (FILE * stream, off64_t offset, int from),
                  (stream, offset, from), )
RAVEL_STREAM_CALL(kWrites, stream, void, rewind, (FILE * stream), (stream), )
RAVEL_STREAM_CALL(kWrites, stream, int, fsetpos, (FILE * stream, const fpos_t* position),
                  (stream, position), )
RAVEL_STREAM_CALL(kWrites, stream, int, fsetpos64, (FILE * stream, const fpos64_t* position),
                  (stream, position), )
RAVEL_STREAM_CALL(kLooks, stream, long, ftell, (FILE * stream), (stream), )
RAVEL_STREAM_CALL(kLooks, stream, off_t, ftello, (FILE * stream), (stream), )
RAVEL_STREAM_CALL(kLooks, stream, off64_t, ftello64, (FILE * stream), (stream), )
RAVEL_STREAM_CALL(kLooks, stream, int, fgetpos, (FILE * stream, fpos_t* position), (stream, position), )
RAVEL_STREAM_CALL(kLooks, stream, int, fgetpos64, (FILE * stream, fpos64_t* position), (stream, position), )
RAVEL_STREAM_CALL(kLooks, stream, int, feof, (FILE * stream), (stream), noexcept)
RAVEL_STREAM_CALL(kLooks, stream, int, ferror, (FILE * stream), (stream), noexcept)
RAVEL_STREAM_CALL(kLooks, stream, int, feof_unlocked, (FILE * stream), (stream), noexcept)
RAVEL_STREAM_CALL(kLooks, stream, int, ferror_unlocked, (FILE * stream), (stream), noexcept)
RAVEL_STREAM_CALL(kWrites, stream, void, clearerr, (FILE * stream), (stream), noexcept)
RAVEL_STREAM_CALL(kWrites, stream, void, clearerr_unlocked, (FILE * stream), (stream), noexcept)
RAVEL_STREAM_CALL(kWrites, stream, int, setvbuf, (FILE * stream, char* buffer, int mode, std::size_t size),
                  (stream, buffer, mode, size), noexcept)
RAVEL_STREAM_CALL(kWrites, stream, void, setbuf, (FILE * stream, char* buffer), (stream, buffer), noexcept)
RAVEL_STREAM_CALL(kWrites, stream, int, vfprintf, (FILE * stream, const char* format, va_list more),
                  (stream, format, more), )
RAVEL_STREAM_CALL(kReads, stdin, int, getchar, (), (), )
RAVEL_STREAM_CALL(kReads, stdin, int, getchar_unlocked, (), (), )
RAVEL_STREAM_CALL(kWrites, stdout, int, putchar, (int byte), (byte), )
RAVEL_STREAM_CALL(kWrites, stdout, int, putchar_unlocked, (int byte), (byte), )
RAVEL_STREAM_CALL(kWrites, stdout, int, puts, (const char* text), (text), )
RAVEL_STREAM_CALL(kWrites, stdout, int, vprintf, (const char* format, va_list more), (format, more), )
RAVEL_STREAM_CALL(kWrites, stderr, void, perror, (const char* text), (text), )
RAVEL_STREAM_CALL(kWrites, stream, wint_t, fputwc, (wchar_t character, FILE* stream), (character, stream), )
RAVEL_STREAM_CALL(kWrites, stream, wint_t, putwc, (wchar_t character, FILE* stream), (character, stream), )
RAVEL_STREAM_CALL(kWrites, stream, int, fputws, (const wchar_t* text, FILE* stream), (text, stream), )
RAVEL_STREAM_CALL(kReads, stream, wint_t, fgetwc, (FILE * stream), (stream), )
RAVEL_STREAM_CALL(kReads, stream, wint_t, getwc, (FILE * stream), (stream), )
RAVEL_STREAM_CALL(kReads, stream, wchar_t*, fgetws, (wchar_t * text, int size, FILE* stream),
                  (text, size, stream), )
RAVEL_STREAM_CALL(kReads, stream, wint_t, ungetwc, (wint_t character, FILE* stream), (character, stream), )
RAVEL_STREAM_CALL(kWrites, stream, int, vfwprintf, (FILE * stream, const wchar_t* format, va_list more),
                  (stream, format, more), )
RAVEL_STREAM_CALL(kWrites, stream, int, __vfprintf_chk,
                  (FILE * stream, int flag, const char* format, va_list more), (stream, flag, format, more), )
RAVEL_STREAM_CALL(kReads, stream, char*, __fgets_chk, (char* text, std::size_t room, int size, FILE* stream),
                  (text, room, size, stream), )
RAVEL_STREAM_CALL(kReads, stream, char*, __fgets_unlocked_chk,
                  (char* text, std::size_t room, int size, FILE* stream), (text, room, size, stream), )
RAVEL_STREAM_CALL_INTO((bytes, size* count), kReads, stream, std::size_t, __fread_chk,
                       (void* bytes, std::size_t room, std::size_t size, std::size_t count, FILE* stream),
                       (bytes, room, size, count, stream), )
RAVEL_STREAM_CALL_INTO((bytes, size* count), kReads, stream, std::size_t, __fread_unlocked_chk,
                       (void* bytes, std::size_t room, std::size_t size, std::size_t count, FILE* stream),
                       (bytes, room, size, count, stream), )
RAVEL_STREAM_CALL(kReads, stream, int, __isoc99_vfscanf, (FILE * stream, const char* format, va_list more),
                  (stream, format, more), )
RAVEL_STREAM_CALL(kReads, stdin, int, __isoc99_vscanf, (const char* format, va_list more), (format, more), )

RAVEL_EXPORT int fflush(FILE* stream) {
  if (stream == nullptr) {
    use_all_streams(RAVEL_CALLER);
  } else {
    use_stream(stream, FileUse::kWrites, RAVEL_CALLER);
  }
  return real().fflush(stream);
}

// Calls with further arguments hand them on as a list.
#define RAVEL_FORMAT_CALL(use, stream, name, other, parameters, last, arguments) \
  RAVEL_EXPORT int name parameters {                                             \
    use_stream(stream, FileUse::use, RAVEL_CALLER);                              \
    if (FileUse::use == FileUse::kReads) let_system_fill(stream);                \
    va_list more;                                                                \
    va_start(more, last);                                                        \
    const int done = RAVEL_NEXT(other) arguments;                                \
    va_end(more);                                                                \
    return done;                                                                 \
  }
RAVEL_FORMAT_CALL(kWrites, stream, fprintf, vfprintf, (FILE * stream, const char* format, ...), format,
                  (stream, format, more))
RAVEL_FORMAT_CALL(kWrites, stdout, printf, vprintf, (const char* format, ...), format, (format, more))
RAVEL_FORMAT_CALL(kWrites, stream, __fprintf_chk, __vfprintf_chk,
                  (FILE * stream, int flag, const char* format, ...), format, (stream, flag, format, more))
RAVEL_FORMAT_CALL(kWrites, stdout, __printf_chk, __vfprintf_chk, (int flag, const char* format, ...), format,
                  (stdout, flag, format, more))
RAVEL_FORMAT_CALL(kReads, stream, __isoc99_fscanf, __isoc99_vfscanf, (FILE * stream, const char* format, ...),
                  format, (stream, format, more))
RAVEL_FORMAT_CALL(kReads, stdin, __isoc99_scanf, __isoc99_vscanf, (const char* format, ...), format,
                  (format, more))
RAVEL_FORMAT_CALL(kWrites, stream, fwprintf, vfwprintf, (FILE * stream, const wchar_t* format, ...), format,
                  (stream, format, more))

}  // namespace ravel::threads
