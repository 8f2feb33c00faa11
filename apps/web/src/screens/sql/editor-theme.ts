/** The editor in the app's tokens. It is CodeMirror's own kind of style sheet: its parts have names of the library. */
import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Bold text instead of colors, because a hue always stands for the place of a wait. */
export const WORD_STYLE = HighlightStyle.define([
  { tag: tags.keyword, fontWeight: "700" },
  { tag: tags.comment, color: "var(--ink-2)" },
]);

export const THEME = EditorView.theme({
  "&": { height: "100%", background: "var(--surface)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "400 13px/20px var(--mono)" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { border: "0", background: "var(--surface)", color: "var(--ink-3)", fontSize: "11px" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", padding: "0 12px 0 8px" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "var(--select-tint)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--line-2)",
  },
  ".cm-tooltip": {
    overflow: "hidden",
    border: "1px solid var(--line-2)",
    borderRadius: "var(--r2)",
    background: "var(--raised)",
    boxShadow: "var(--shadow)",
    color: "var(--ink)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    minWidth: "320px",
    maxHeight: "12em",
    font: "400 12.5px/18px var(--mono)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "grid",
    gridTemplateColumns: "minmax(150px, 1fr) 92px minmax(120px, 360px)",
    columnGap: "12px",
    padding: "3px 10px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--select-tint)",
    boxShadow: "inset 2px 0 var(--select)",
    color: "var(--ink)",
  },
  ".cm-completionMatchedText": { fontWeight: "700", textDecoration: "none" },
  ".cm-completionDetail": { margin: "0", color: "var(--ink-2)", fontSize: "11px", fontStyle: "normal" },
  ".cm-completion-about": {
    overflow: "hidden",
    color: "var(--ink-2)",
    font: "400 12px/18px var(--font)",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
});
