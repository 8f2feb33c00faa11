/** Editor for a query: CodeMirror with the keywords of DuckDB, without colors. */
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { sql, SQLDialect } from "@codemirror/lang-sql";
import { syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { SqlTableInfo } from "@aglens/contract";
import { type Choice, completions, WORDS } from "./completion.ts";
import { THEME, WORD_STYLE } from "./editor-theme.ts";
import styles from "./editor.module.css";

interface Props {
  readonly text: string;
  readonly tables: readonly SqlTableInfo[];
  /** Place of a mistake, in characters; null without one. */
  readonly mistake: number | null;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
  readonly onStop: () => void;
}

export function Editor({ text, tables, mistake, onText, onRun, onStop }: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const calls = useRef({ onText, onRun, onStop, tables });
  useEffect(() => {
    calls.current = { onText, onRun, onStop, tables };
  });
  useEffect(() => {
    if (box.current === null) return undefined;
    const editor = new EditorView({
      parent: box.current,
      state: EditorState.create({ doc: text, extensions: extensions(calls) }),
    });
    view.current = editor;
    return () => editor.destroy();
    // The effect below applies the text from outside.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the editor lives as long as the component
  }, []);
  // A layout effect, because the text must be replaced in the same frame: later the user may have typed more, and this
  // input would be lost.
  useLayoutEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || mistake === null) return;
    const at = Math.min(mistake, editor.state.doc.length);
    editor.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    editor.focus();
  }, [mistake]);
  return <div ref={box} className={styles.editor} />;
}

type Calls = { readonly current: Pick<Props, "onText" | "onRun" | "onStop" | "tables"> };

const DIALECT = SQLDialect.define({ keywords: WORDS.toLowerCase(), types: "", builtin: "" });

function extensions(calls: Calls): Extension[] {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    sql({ dialect: DIALECT }),
    THEME,
    syntaxHighlighting(WORD_STYLE),
    autocompletion({
      override: [(context) => completed(context, calls.current.tables)],
      icons: false,
      // Tab accepts a completion as soon as it is shown. With a delay, Tab would leave the editor in the meantime.
      interactionDelay: 0,
      addToOptions: [{ render: (option) => aboutOf(option as Option), position: 90 }],
    }),
    Prec.highest(
      keymap.of([
        { key: "Mod-Enter", run: () => (calls.current.onRun(), true) },
        { key: "Ctrl-Space", run: startCompletion },
        { key: "Tab", run: acceptCompletion },
      ]),
    ),
    keymap.of([
      ...defaultKeymap,
      ...historyKeymap,
      { key: "Escape", run: () => (calls.current.onStop(), false) },
    ]),
    EditorView.contentAttributes.of({
      "aria-label": "Query",
      tabindex: "0",
      spellcheck: "false",
      autocapitalize: "off",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) calls.current.onText(update.state.doc.toString());
    }),
  ];
}

/** Text that the list shows next to the name. */
interface Option {
  readonly about?: string;
}

function completed(context: CompletionContext, tables: readonly SqlTableInfo[]): CompletionResult | null {
  const found = completions(context.state.doc.toString(), context.pos, tables, context.explicit);
  if (found === null) return null;
  // In the order in which they were found.
  return { from: found.from, options: found.choices.map((choice, i) => optionOf(choice, -i)), filter: false };
}

const optionOf = ({ label, apply, kind, about }: Choice, boost: number) => ({
  label,
  detail: kind,
  about,
  boost,
  ...(apply === undefined ? {} : { apply }),
});

function aboutOf({ about = "" }: Option): Node {
  const element = document.createElement("span");
  element.className = "cm-completion-about";
  element.textContent = about;
  return element;
}
