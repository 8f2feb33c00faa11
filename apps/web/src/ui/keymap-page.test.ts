import { join } from "node:path";
import { expect, test } from "vitest";
import { KEYMAP, POINTER_MOVES } from "./keymap.ts";

const PAGE = join(import.meta.dirname, "../../../../docs/guide/keyboard.md");
const NAMES: Readonly<Record<string, string>> = {
  " ": "Space",
  Escape: "Esc",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ContextMenu: "Menu",
};

/** `Ctrl+k` as `Ctrl` `k`. */
const combination = (key: string): string =>
  key
    .split(/(?<=.)\+(?=.)/u)
    .map((part) => `\`${NAMES[part] ?? part}\``)
    .join(" ");

/** Keys that do the same; a row of nine digits is a range. */
const keysText = (keys: readonly string[]): string =>
  keys.length === 9
    ? `${combination(keys[0])} to ${combination(keys[8].slice(-1))}`
    : keys.map(combination).join(" or ");

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const rows = [...Map.groupBy(KEYMAP, ({ group }) => group)].flatMap(([group, entries]) =>
  entries.map(({ keys, does }, i) => `| ${i === 0 ? group : ""} | ${keysText(keys)} | ${capital(does)} |`),
);

const moves = POINTER_MOVES.map(
  ({ shown, does }) => `| ${shown.map((part) => `\`${part}\``).join(" ")} | ${capital(does)} |`,
);

/** Written again by `npx vitest run keymap-page -u`. */
test("the page of the guide has every key and every move of the pointer", async () => {
  const page = `# Which keys can I use?

Press \`?\` for the same list in the app. Keys don't act while you type in a field or a dialog is open.

## Keys

| screen | keys | action |
|---|---|---|
${rows.join("\n")}

## Pointer on the timeline

| pointer | action |
|---|---|
${moves.join("\n")}
`;
  await expect(page).toMatchFileSnapshot(PAGE);
});
