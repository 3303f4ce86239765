/** Who is signed in, as the server says it. */
export interface SignedIn {
  readonly name: string;
  readonly role: string | null;
  /** When the session ends unless it is used; null: there is none that could be ended here. */
  readonly until: string | null;
}

/** Whether the page was served where people sign in. */
export function canSignIn(): boolean {
  return document.querySelector('meta[name="census-sign-in"]') !== null;
}

/** Leaves for the sign-in page, and comes back to this address, if a response says that nobody is signed in any more. */
export function leaveIfSignedOut({ status }: Response): void {
  if (status !== 401 || !canSignIn()) return;
  const { pathname, search, hash } = location;
  location.assign(`/sign-in?to=${encodeURIComponent(pathname + search + hash)}`);
}

/** Undefined: nobody, or it is not known now. */
export async function readSession(): Promise<SignedIn | undefined> {
  try {
    const response = await fetch("/explorer/api/v1/session", { headers: { accept: "application/json" } });
    return response.ok ? ((await response.json()) as SignedIn) : undefined;
  } catch {
    return undefined;
  }
}

export async function signOut(): Promise<void> {
  await fetch("/sign-out", { method: "POST" });
  location.assign("/sign-in");
}
