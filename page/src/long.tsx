// A text that may be very long: its beginning, and a button for the rest.

import { useState } from "preact/hooks";

const SHOWN_CHARACTERS = 300;

export function Long({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  if (text.length <= SHOWN_CHARACTERS) return <>{text}</>;
  return (
    <>
      {open ? text : `${text.slice(0, SHOWN_CHARACTERS)}… `}
      <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "less" : `all ${text.length.toLocaleString("en")} characters`}
      </button>
    </>
  );
}
