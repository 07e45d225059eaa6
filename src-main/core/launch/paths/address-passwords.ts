import { attempt } from '../../../../src-shared/domain/attempt'

const PASSWORD = /\b[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/giu

/** Returns the passwords in an environment's addresses (a proxy, a private package index), raw and decoded. */
export function addressPasswords(env: Readonly<Record<string, string>>): string[] {
  const written = Object.values(env).flatMap((value) =>
    [...value.matchAll(PASSWORD)].map(([, password = '']) => password),
  )
  // A password with a literal percent sign can't be decoded.
  const decoded = (password: string) => attempt(() => decodeURIComponent(password)) ?? password
  return [...new Set(written.flatMap((password) => [password, decoded(password)]))]
}
