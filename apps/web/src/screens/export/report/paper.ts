/** A4 or Letter with the capture in each page's head and the page's number in its foot. */
export function paperRules(head: string): string {
  const words = JSON.stringify(head).replaceAll("<", String.raw`\3c `);
  return `@page {
  margin: 15mm;
  @top-left { content: ${words}; font: 8pt sans-serif; color: #667080; }
  @bottom-right { content: "page " counter(page) " of " counter(pages); font: 8pt sans-serif; color: #667080; }
}`;
}
