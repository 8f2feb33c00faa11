import type { RecognizedFile } from "../shapes.ts";

const folderOf = (name: string): string => name.slice(0, Math.max(0, name.search(/[\\/][^\\/]*$/u)));

/** A file that names no server is of the server that all others in its folder name. */
export function withServersOfFolders(files: readonly RecognizedFile[]): RecognizedFile[] {
  const servers = new Map<string, Map<string, string>>();
  for (const { name, server } of files) {
    if (server === null) continue;
    const folder = folderOf(name);
    const known = servers.get(folder) ?? new Map<string, string>();
    const id = server.toUpperCase();
    servers.set(folder, known.set(id, known.get(id) ?? server));
  }
  return files.map((file) => {
    const [server, ...others] =
      file.server === null ? (servers.get(folderOf(file.name))?.values() ?? []) : [];
    return server === undefined || others.length > 0 ? file : { ...file, server, serverFrom: "name" };
  });
}
