// Makes dist/page.html: one file, script and style inlined, with an empty marker element for the story; and the same as a
// string literal of C++, to be embedded into the program.
//
// usage: node build.mjs [OUTPUT [LITERAL]]

import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { gzipSync } from "node:zlib";

// A page is mailed and kept in continuous integration: the program's own part of it has to stay small.
const GZIPPED_BYTES_MAX = 60_000;

const output = resolve(process.argv[2] ?? "dist/page.html");
const options = { bundle: true, minify: true, write: false, logLevel: "warning", target: "es2022" };

async function bundled(entry, more = {}) {
  const result = await build({ ...options, ...more, entryPoints: [entry] });
  if (result.warnings.length > 0) process.exit(1);
  return result.outputFiles[0].text.trim();
}

// Compilers have a bound on the length of one piece.
const PIECE_CHARACTERS = 8000;

function literal(text) {
  const pieces = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at += PIECE_CHARACTERS) {
    pieces.push(`R"__page(${characters.slice(at, at + PIECE_CHARACTERS).join("")})__page"`);
  }
  return `constexpr std::string_view kPage =\n${pieces.join("\n")};\n`;
}

const script = await bundled("src/main.tsx", { format: "iife", jsx: "automatic", jsxImportSource: "preact" });
const style = await bundled("src/style.css");
const template = await readFile("src/template.html", "utf8");

// An element ends at the first "</script", wherever it stands.
const inlined = { SCRIPT: script.replaceAll("</script", "<\\/script"), STYLE: style.replaceAll("</style", "<\\/style") };
const page = template.replace(/\/\*(SCRIPT|STYLE)\*\//g, (_, name) => inlined[name]);

const size = gzipSync(page).length;
if (size > GZIPPED_BYTES_MAX) {
  console.error(`build: the page has ${size} bytes gzipped, more than ${GZIPPED_BYTES_MAX}`);
  process.exit(1);
}
await mkdir(dirname(output), { recursive: true });
await writeFile(output, page);
if (process.argv[3]) await writeFile(process.argv[3], literal(page));
console.log(`${output}: ${page.length} bytes, ${size} gzipped`);
