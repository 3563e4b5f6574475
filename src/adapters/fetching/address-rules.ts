import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The hosts and networks that may be fetched from although they are not public. */
export interface AllowedTargets {
  /** Names, in lower case. */
  hosts: readonly string[];
  networks: readonly { address: string; prefix: number }[];
}

export interface AddressRules {
  /** Whether an operator allows a host by its name, whatever its address. */
  allowsHost(host: string): boolean;
  /** Whether an IP address is public and does not belong to this machine, or is allowed by an operator. */
  allows(address: string): boolean;
}

export function createAddressRules({ hosts, networks }: AllowedTargets): AddressRules {
  const allowed = new BlockList();
  for (const { address, prefix } of networks) {
    allowed.addSubnet(address, prefix, familyOf(address));
  }
  return {
    allowsHost: (host) => hosts.includes(host),
    allows(address) {
      const family = familyOf(address);
      if (allowed.check(address, family)) return true;
      const isPublic = family === 'ipv4' || GLOBAL_IPV6.check(address, family);
      return isPublic && !SPECIAL.check(address, family) && !isOwn(address);
    },
  };
}

/**
 * IPv4 networks that are not public: those of IANA's registry of special-purpose addresses that are not
 * globally reachable, multicast, reserved addresses, and a service of Azure that only its machines reach.
 *
 * Source: https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const SPECIAL_IPV4: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * The parts of 2000::/3 that are not public: protocol assignments with Teredo, documentation, and 6to4.
 *
 * Source: https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const SPECIAL_IPV6: typeof SPECIAL_IPV4 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** A NAT64 address leads to the IPv4 address in its last 32 bits. */
const NAT64 = '64:ff9b::';
const NAT64_BITS = 96;

const SPECIAL = new BlockList();
for (const [address, bits] of SPECIAL_IPV4) {
  // This also covers the addresses in ::ffff:0:0/96, which are IPv4 addresses.
  SPECIAL.addSubnet(address, bits, 'ipv4');
  SPECIAL.addSubnet(`${NAT64}${address}`, NAT64_BITS + bits, 'ipv6');
}
for (const [address, bits] of SPECIAL_IPV6) SPECIAL.addSubnet(address, bits, 'ipv6');

const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');
GLOBAL_IPV6.addSubnet(NAT64, NAT64_BITS, 'ipv6');

/** Behind a public address of this machine there may be services that a firewall keeps from others. */
function isOwn(address: string): boolean {
  const own = new BlockList();
  for (const one of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
    own.addAddress(one.address, familyOf(one.address));
  }
  return own.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
