/** Decides which addresses count as one client where wrong tries are counted. */
import { ipKeyGenerator } from "express-rate-limit";

/**
 * The IPv4 address, or the /56 network of an IPv6 address: a client with one address of the network usually has all of
 * them. @param address "" when it isn't known
 */
export function clientKey(address: string): string {
  return ipKeyGenerator(address);
}
