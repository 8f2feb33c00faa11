/** The address of a SQL Server as a person types it, and as a request has it. */
import type { LiveServer } from "@aglens/contract";

export interface ServerAddress {
  /** As DBAs write it: HOST, HOST\INSTANCE, HOST,PORT or HOST:PORT. */
  readonly server: string;
  readonly encryption: LiveServer["encryption"];
  readonly trustCertificate: boolean;
  readonly certificateName: string;
  readonly certificateAuthority: string;
}

export const NO_ADDRESS: ServerAddress = {
  server: "",
  encryption: "required",
  trustCertificate: false,
  certificateName: "",
  certificateAuthority: "",
};

/**
 * Host with port or instance from the typed text; null when the text is no server name. An IPv6 address needs a comma
 * before its port.
 */
function serverName(text: string): Pick<LiveServer, "host" | "port" | "instance"> | null {
  const plain = text.trim().replace(/^tcp:/iu, "");
  const match =
    /^(?<host>[A-Za-z0-9_.-]+|[A-Fa-f0-9:]*:[A-Fa-f0-9:]*:[A-Fa-f0-9:.]*)(?:\\(?<instance>[A-Za-z0-9_$#]{1,64})|(?:,\s*|:)(?<port>\d{1,5}))?$/u.exec(
      plain,
    );
  const host = match?.groups?.["host"];
  if (host === undefined) return null;
  const { instance, port } = match?.groups ?? {};
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return null;
  // A default instance is the host itself.
  const named = instance !== undefined && instance.toUpperCase() !== "MSSQLSERVER";
  return { host, ...(port === undefined ? {} : { port: Number(port) }), ...(named ? { instance } : {}) };
}

/** The server of an address; null where its text is no server name. */
export function serverOf(address: ServerAddress): LiveServer | null {
  const name = serverName(address.server);
  if (name === null) return null;
  const { encryption, trustCertificate } = address;
  const certificateName = address.certificateName.trim();
  const certificateAuthority = address.certificateAuthority.trim();
  return {
    ...name,
    encryption,
    trustCertificate: encryption !== "off" && trustCertificate,
    ...(certificateName === "" ? {} : { certificateName }),
    ...(certificateAuthority === "" ? {} : { certificateAuthority }),
  };
}

/** The address that a server was typed as. */
export const addressOf = (server: Omit<LiveServer, "oldCertificate">): ServerAddress => ({
  server: addressText(server),
  encryption: server.encryption,
  trustCertificate: server.trustCertificate,
  certificateName: server.certificateName ?? "",
  certificateAuthority: server.certificateAuthority ?? "",
});

function addressText({ host, port, instance }: Pick<LiveServer, "host" | "port" | "instance">): string {
  if (instance !== undefined) return `${host}\\${instance}`;
  return port === undefined ? host : `${host},${port}`;
}
