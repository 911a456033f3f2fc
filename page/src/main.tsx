// Where the page begins: reads the story from the marker element, and shows it or what is wrong with it.

import { Component, render, type ComponentChildren } from "preact";
import { App } from "./app";
import { readStory } from "./read_story";
import { applyTheme } from "./theme";

function Problem(props: { problem: string; help: string }) {
  return (
    <main class="problem">
      <h1>{props.problem}</h1>
      <p>{props.help}</p>
    </main>
  );
}

/** Says what happened, instead of an empty page. */
class Boundary extends Component<{ children: ComponentChildren }, { error?: string }> {
  static override getDerivedStateFromError(error: unknown) {
    return { error: String(error) };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const help = `This is a mistake of the page, not of the program under test. ravel replay shows the story as text. (${error})`;
    return <Problem problem="The page cannot show this story." help={help} />;
  }
}

function Page() {
  const reading = readStory(document.getElementById("story")?.textContent ?? "");
  if ("problem" in reading) return <Problem {...reading} />;
  return <App story={reading.story} />;
}

applyTheme();
const root = document.getElementById("page");
if (root) {
  root.textContent = "";
  render(
    <Boundary>
      <Page />
    </Boundary>,
    root,
  );
}
