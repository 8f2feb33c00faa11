const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

/** A text as it stands in HTML, also within a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&"<>]/gu, (each) => ENTITIES[each] ?? each);
