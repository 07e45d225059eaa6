// Signs what the app verifies before it installs an update (docs/releasing.md).
//   node scripts/sign-manifest.mjs keys FILE     writes a new private key to FILE, and prints the public key
//   node scripts/sign-manifest.mjs sign FILE …   writes FILE.sig for each manifest; the private key is in PATCHBAY_UPDATE_PRIVATE_KEY
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

import { fail, say } from './toolchain.mjs'

const [command, ...files] = process.argv.slice(2)
if (command === 'keys' && files.length === 1) makeKeys(files[0])
else if (command === 'sign' && files.length > 0) signAll(files)
else {
  process.stderr.write('Usage: node scripts/sign-manifest.mjs keys FILE | sign FILE …\n')
  process.exitCode = 2
}

function makeKeys(file) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
  writeFileSync(file, pem, { mode: 0o600, flag: 'wx' })
  say(publicText(publicKey))
}

function signAll(manifests) {
  const pem = process.env.PATCHBAY_UPDATE_PRIVATE_KEY
  if (!pem) return fail('PATCHBAY_UPDATE_PRIVATE_KEY is not set.')
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') return fail('The private key is not Ed25519.')
  const publicKey = createPublicKey(key)
  // A release rejected by its own app would reach nobody.
  const expected = process.env.MAIN_VITE_UPDATE_KEY
  if (expected && expected !== publicText(publicKey))
    return fail('The private key does not belong to MAIN_VITE_UPDATE_KEY.')
  for (const file of manifests) {
    const bytes = readFileSync(file)
    const signature = sign(null, bytes, key)
    if (!verify(null, bytes, publicKey, signature)) return fail(`${file} could not be signed.`)
    writeFileSync(`${file}.sig`, `${signature.toString('base64')}\n`)
    say(`Signed ${file}`)
  }
}

function publicText(key) {
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}
