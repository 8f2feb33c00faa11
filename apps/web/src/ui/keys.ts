import { useEffect, useRef } from "react";
import { KEYMAP, type KeyEntry, type KeyId } from "./keymap.ts";

/** Actions by key id; the event shows which of an entry's keys it was ("1" to "9"). */
export type KeyBindings = Partial<Record<KeyId, (event: KeyboardEvent) => void>>;

/** Name of a key press as the keymap writes it: `Shift+B`, `Alt+1`, `?`. Shift is part of the name for letters and arrows only. */
export function keyName(
  event: Pick<KeyboardEvent, "key" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey">,
): string {
  const letter = /^[a-zA-Z]$/u.test(event.key);
  const key = letter ? (event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase()) : event.key;
  const shift = event.shiftKey && (letter || event.key.length > 1) ? "Shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${shift}${key}`;
}

/**
 * `Shift+1` to `Shift+9` by the place of the key, since the character of Shift and a digit depends on the layout;
 * otherwise null.
 */
function shiftedDigit(event: KeyboardEvent): string | null {
  const digit = /^Digit([1-9])$/u.exec(event.code)?.[1];
  const plain = event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
  // Where digits themselves need Shift (French), the press means the digit.
  return digit !== undefined && plain && event.key !== digit ? `Shift+${digit}` : null;
}

/** The first bound action of a press, or null. */
export function findAction(name: string, bindings: KeyBindings): ((event: KeyboardEvent) => void) | null {
  for (const entry of KEYMAP as readonly KeyEntry[]) {
    const action = bindings[entry.id as KeyId];
    if (action !== undefined && entry.keys.includes(name)) return action;
  }
  return null;
}

/** Typing must not trigger an action, and Enter or Space belong to the focused control. */
function belongsToControl(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (target === null) return false;
  if (
    target.closest(
      "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]",
    ) !== null
  )
    return true;
  if (target.closest("[role=dialog], [role=menu]") !== null) return true;
  const control = "button, summary, [role=button], [role=tab]";
  // Space opens no link, and ticks a box.
  if (event.key === "Enter") return target.closest(`${control}, a`) !== null;
  return event.key === " " && target.closest(`${control}, input`) !== null;
}

/** Bindings of the components that are mounted, for the dialog that lists keys. */
const mounted = new Set<{ readonly current: KeyBindings }>();

/** Whether a mounted component has an action for a key now. */
export const isKeyBound = (id: KeyId): boolean =>
  [...mounted].some(({ current }) => current[id] !== undefined);

/** Binds keys of the keymap while the component is mounted. Presses inside fields and dialogs are ignored. */
export function useKeys(bindings: KeyBindings): void {
  const current = useRef(bindings);
  useEffect(() => {
    current.current = bindings;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || belongsToControl(event)) return;
      const digit = shiftedDigit(event);
      const action =
        findAction(keyName(event), current.current) ??
        (digit === null ? null : findAction(digit, current.current));
      if (action === null) return;
      event.preventDefault();
      action(event);
    };
    window.addEventListener("keydown", onKey);
    mounted.add(current);
    return () => {
      mounted.delete(current);
      window.removeEventListener("keydown", onKey);
    };
  }, []);
}

/** Largest number of kept presses: more were not meant one by one. */
const MOST_KEPT = 8;

const isOfKeymap = (name: string): boolean =>
  (KEYMAP as readonly KeyEntry[]).some((entry) => entry.keys.includes(name));

/**
 * Keeps presses of the keymap that no handler has used while `isLoading`, and presses them again afterwards: the
 * screen, or the component that loads next, handles them. A click changes the intention: it drops them.
 */
export function useKeptKeys(isLoading: boolean): void {
  useEffect(() => {
    if (!isLoading) return undefined;
    let kept: KeyboardEvent[] = [];
    const keep = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || belongsToControl(event) || !isOfKeymap(keyName(event))) return;
      if (kept.length < MOST_KEPT) kept.push(event);
    };
    const drop = (): void => void (kept = []);
    window.addEventListener("keydown", keep);
    window.addEventListener("pointerdown", drop);
    return () => {
      window.removeEventListener("keydown", keep);
      window.removeEventListener("pointerdown", drop);
      // The replacing component binds its keys in the same commit, after this. Each press is a separate task, so that
      // it sees the changes of the one before.
      for (const press of kept)
        setTimeout(() => {
          if (!press.defaultPrevented) pressAgain(press);
        });
    };
  }, [isLoading]);
}

/** Runs the action of a key of the keymap, for a menu that offers it. */
export function pressKey({ keys: [name = ""] }: Pick<KeyEntry, "keys">): void {
  const parts = name.split("+");
  pressAgain({
    key: parts.at(-1) ?? "",
    code: "",
    shiftKey: parts.includes("Shift"),
    altKey: parts.includes("Alt"),
    ctrlKey: parts.includes("Ctrl"),
    metaKey: false,
  });
}

type Press = Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey">;

function pressAgain({ key, code, shiftKey, altKey, ctrlKey, metaKey }: Press): void {
  const again = { key, code, shiftKey, altKey, ctrlKey, metaKey, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new KeyboardEvent("keydown", again));
}

/** While it is shown, presses are kept for the component that replaces it. */
export function KeepKeys(): null {
  useKeptKeys(true);
  return null;
}
