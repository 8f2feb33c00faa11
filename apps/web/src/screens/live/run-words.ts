import type { LiveReplica } from "@aglens/contract";

/** `attached to 1 of 2 replicas`. */
export function attachedWords(replicas: readonly LiveReplica[]): string {
  const attached = replicas.filter((replica) => replica.state !== "failed").length;
  const all = replicas.length === 1 ? "1 replica" : `${replicas.length} replicas`;
  return attached === replicas.length ? `attached to ${all}` : `attached to ${attached} of ${all}`;
}

/** `01:18`, from one hour on `1:02:03`. */
export function elapsedText(us: number): string {
  const seconds = Math.max(0, Math.floor(us / 1e6));
  const part = (value: number): string => String(value).padStart(2, "0");
  const minutes = `${part(Math.floor(seconds / 60) % 60)}:${part(seconds % 60)}`;
  return seconds < 3600 ? minutes : `${Math.floor(seconds / 3600)}:${minutes}`;
}
