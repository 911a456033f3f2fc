// Colours of actors: eight that colour-blind readers can tell apart (style.css); further actors begin again.

const COLOURS = 8;

export function actorClass(actor: number): string {
  return `a${actor % COLOURS}`;
}
