const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

/** A text in HTML form, also for a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&"<>]/gu, (each) => ENTITIES[each] ?? each);
