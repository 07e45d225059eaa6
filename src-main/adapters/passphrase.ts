/** Takes the passphrase of the encrypted secrets file out of PATCHBAY_PASSPHRASE, so that children and fields can't read it. */
export function consumePassphrase(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { PATCHBAY_PASSPHRASE: passphrase } = env
  delete env.PATCHBAY_PASSPHRASE
  return passphrase === '' ? undefined : passphrase
}
