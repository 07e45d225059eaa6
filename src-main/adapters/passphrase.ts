/** What opens the encrypted file of secrets, from PATCHBAY_PASSPHRASE; it is in the environment no more then, where a child or a field could read it. */
export function takePassphrase(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { PATCHBAY_PASSPHRASE: passphrase } = env
  delete env.PATCHBAY_PASSPHRASE
  return passphrase === '' ? undefined : passphrase
}
