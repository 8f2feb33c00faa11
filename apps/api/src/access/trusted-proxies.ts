/** Reverse proxies whose headers are believed. */
import { BlockList, isIP } from "node:net";

/**
 * Whether an address is one of the proxies'; an IPv4 address may arrive as IPv6 (`::ffff:10.4.0.10`).
 * @param list addresses and networks as `readTrustedProxies` checked them
 */
export function trustedProxies(list: readonly string[]): (address: string | undefined) => boolean {
  const trusted = new BlockList();
  for (const entry of list) {
    const [address = "", bits] = entry.split("/", 2);
    if (bits === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => address !== undefined && isIP(address) > 0 && trusted.check(address, familyOf(address));
}

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");
