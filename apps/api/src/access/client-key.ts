/** Who counts as one client where wrong tries are counted. */
import { ipKeyGenerator } from "express-rate-limit";

/** An address of IPv4, or the /56 network of one of IPv6: whoever has one address of it has all. @param address "" when it isn't known */
export function clientKey(address: string): string {
  return ipKeyGenerator(address);
}
