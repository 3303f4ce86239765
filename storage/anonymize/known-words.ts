import type { Test } from "./rules.ts";

/** Types that Puppet contains (reference/archive.md §5.3, M1); all sites have them, so they disclose nothing. */
export const BUILT_IN_TYPES: readonly string[] =
  "Augeas Computer Cron Exec File Filebucket Group Host Interface K5login Macauthorization Mailalias Mcx Mount Notify Package Resources Router Schedule Schedule_task Selboolean Selmodule Service Ssh_authorized_key Sshkey Stage Tidy User Vlan Yumrepo Zfs Zone Zpool Class".split(
    " ",
  );

/** Types of commonly used modules (M1). */
export const COMMON_TYPES: readonly Test[] = [
  /^Nagios_/,
  "Anchor",
  "File_line",
  /^Pe_/,
  ..."Firewall A2mod Vcsrepo Filesystem Logical_volume Physical_volume Volume_group Java_ks".split(" "),
  /^Mysql/,
  /^Postgresql/,
  /^Rabbitmq/,
  /^Puppetdb/,
  /^Apache/,
  /^Mrepo/,
  /^F5/,
  /^Apt/,
  /^Registry/,
  /^Concat/,
];

/** Types whose titles are names of software or built in (M2). */
export const TYPES_WITH_KEPT_TITLES: readonly string[] = ["Filebucket", "Package", "Stage", "Service"];

/** Matches every name. */
export const ANYTHING: RegExp = /^/;

/** Parts of the names of secrets (M5, L2), and of synonyms. */
export const SECRET: readonly Test[] = [
  /passw/i,
  /pwd/i,
  /secret/i,
  /key/i,
  /private/i,
  /passphrase/i,
  /token/i,
  /credential/i,
];

const MACHINE_FACTS: readonly Test[] = [
  "architecture",
  /^augeasversion.*/,
  /^bios_.*/,
  /^blockdevice.*/,
  /^board.*/,
  "facterversion",
  "hardwareisa",
  "hardwaremodel",
  "id",
  "interfaces",
  /^iptables.*/,
  /^ip6tables.*/,
  "is_pe",
  "is_virtual",
  /^kernel.*/,
  /^lsb.*/,
  /^macosx.*/,
  /^mtu_.*/,
  /^netmask.*/,
  /^operatingsystem.*/,
  "osfamily",
  /^postgres_.*/,
  /^processor.*/,
  /^physicalprocessorcount.*/,
  "productname",
  "ps",
  "puppetversion",
  "rubysitedir",
  "rubyversion",
  /^selinux.*/,
  "swapencrypted",
  /^swapfree.*/,
  /^swapsize.*/,
  "timezone",
  /^uptime.*/,
  "virtual",
];

/** Facts whose values describe a kind of machine, not this one (M5). */
export const FACTS_WITH_KEPT_VALUES: readonly Test[] = [...MACHINE_FACTS, /^memory.*/];

/** Facts that every node has (M4). */
export const COMMON_FACTS: readonly Test[] = [
  ...MACHINE_FACTS,
  "domain",
  "fqdn",
  "hostname",
  /^ipaddress.*/,
  /^macaddress.*/,
  /^memoryfree.*/,
  /^memorysize.*/,
  "memorytotal",
  /^network.*/,
  "path",
  /^sp_.*/,
  /^ssh.*/,
  "uuid",
];

/** Facts with the name of their node. */
export const HOST_NAME_FACTS: ReadonlySet<string> = new Set(["certname", "clientcert", "fqdn", "host", "hostname"]);

/** Versions that are numbers, hashes or empty: they do not contain names of environments or hosts. */
export const MEANINGLESS_VERSION: RegExp = /^[\da-f-]*$/i;
