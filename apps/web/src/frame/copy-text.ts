/** Copies a text; false where the browser refuses: without https (other than on this computer) it has no clipboard. */
export async function copyText(text: string): Promise<boolean> {
  if (!window.isSecureContext) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
