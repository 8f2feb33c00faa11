import type { RawEvent } from "@aglens/contract";

/** Whether the name, the LSN, or the name or value of a field or an action of an event contains a text, in any case. */
export function eventHoldsText({ name, lsn, fields, actions }: RawEvent, text: string): boolean {
  if (text === "") return true;
  const asked = text.toLowerCase();
  const values = [...Object.entries(fields), ...Object.entries(actions)].flat();
  return [name, lsn, ...values].some((value) => asText(value).toLowerCase().includes(asked));
}

const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
