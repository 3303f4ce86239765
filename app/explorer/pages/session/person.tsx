import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { canSignIn, readSession, type SignedIn, signOut } from "./session.ts";

/** Who is signed in, and a button to sign out; nothing where people do not sign in. */
export function Person(): JSX.Element | null {
  const [person, setPerson] = useState<SignedIn>();
  useEffect(() => {
    if (canSignIn()) void readSession().then(setPerson);
  }, []);
  if (person === undefined) return null;
  const { name, role, until } = person;
  return (
    <div class="person">
      <span>
        {name}
        {role === null ? null : <small> {role}</small>}
      </span>
      {until === null ? null : (
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      )}
    </div>
  );
}
