/** How long ago an instant was, in words. @param iso UTC, ISO 8601 */
import { capturesTexts as texts } from "../../messages/captures.ts";
export function ago(iso: string): string {
  const minutes = Math.round((Date.now() - Date.parse(iso)) / 60_000);
  if (minutes < 2) return texts.justNow;
  if (minutes < 90) return texts.minAgo(minutes);
  const hours = Math.round(minutes / 60);
  if (hours < 36) return texts.hAgo(hours);
  return texts.daysAgo(Math.round(hours / 24));
}
