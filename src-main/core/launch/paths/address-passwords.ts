import { attempt } from '../../../../src-shared/domain/attempt'

const PASSWORD = /\b[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/giu

/** The passwords that stand in addresses of an environment (a proxy, a private package index), as they are and decoded. */
export function addressPasswords(env: Readonly<Record<string, string>>): string[] {
  const written = Object.values(env).flatMap((value) =>
    [...value.matchAll(PASSWORD)].map(([, password = '']) => password),
  )
  // One that holds a percent sign of its own can't be decoded.
  const decoded = (password: string) => attempt(() => decodeURIComponent(password)) ?? password
  return [...new Set(written.flatMap((password) => [password, decoded(password)]))]
}
