/** The user `nobody`, who owns no files. */
const NOBODY = 65_534;

/**
 * Does something as a user without privileges where the tests run as root, who may read and write files of any
 * mode. The folders on the way to a file must be open to all users.
 */
export async function withoutRoot<T>(work: () => Promise<T>): Promise<T> {
  const user = process.geteuid?.();
  if (user !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(user);
  }
}
