import { EditorView } from "@codemirror/view";
import { act, render, screen } from "@testing-library/react";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { expect, test } from "vitest";
import { Editor } from "./editor.tsx";

const type = (letter: string): void => {
  const view = EditorView.findFromDOM(screen.getByRole("textbox", { name: "Query" }));
  view?.dispatch(view.state.replaceSelection(letter));
};

test("what is typed while the letter before it is drawn stays", () => {
  let told = "";
  function Around(): ReactNode {
    const [text, setText] = useState("");
    told = text;
    useLayoutEffect(() => {
      if (text === "a") type("b");
    }, [text]);
    const nothing = (): void => {};
    return (
      <Editor text={text} tables={[]} mistake={null} onText={setText} onRun={nothing} onStop={nothing} />
    );
  }
  render(<Around />);
  act(() => type("a"));
  expect(told).toBe("ab");
  expect(screen.getByRole("textbox", { name: "Query" }).textContent).toBe("ab");
});
