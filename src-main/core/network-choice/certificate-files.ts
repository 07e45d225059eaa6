import { X509Certificate } from 'node:crypto'
import { open } from 'node:fs/promises'
import { isAbsolute } from 'node:path'

/** All authorities of a system take less than 1 MB. */
const MOST_BYTES = 5 * 1024 * 1024
const CERTIFICATE = /-----BEGIN (X509 )?CERTIFICATE-----[^-]+-----END \1?CERTIFICATE-----/gu
/** How a certificate begins that is not written as text (X.690, a long sequence). */
const DER_START = 0x30

/** What a file of certificates holds; with `trouble`, a sentence, nothing of it is to be trusted. */
export type CertificateFile = {
  readonly path: string
  /** As PEM, each written alike. */
  readonly certificates: readonly string[]
  readonly trouble?: string
}

/** Reads a PEM file that the person named. Never rejects; where a part of it cannot be read, the whole file counts as none. */
export async function readCertificateFile(path: string): Promise<CertificateFile> {
  const trouble = (sentence: string): CertificateFile => ({
    path,
    certificates: [],
    trouble: sentence,
  })
  if (!isAbsolute(path)) return trouble(`${path} isn’t an absolute path.`)
  try {
    const bytes = await readBytes(path)
    if (typeof bytes === 'string') return trouble(bytes)
    const found = [...bytes.toString('latin1').matchAll(CERTIFICATE)]
    if (found.length === 0) return trouble(noneIn(path, bytes))
    const certificates = found.map(([text]) => new X509Certificate(text).toString())
    return { path, certificates }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return trouble(`File not found: ${path}.`)
    if (/^E[A-Z]+$/u.test(code)) return trouble(`${path} can’t be read (${code}).`)
    return trouble(`${path} contains a damaged certificate.`)
  }
}

/** The bytes, or why they are not read. */
async function readBytes(path: string): Promise<Buffer | string> {
  const file = await open(path)
  try {
    const facts = await file.stat()
    if (!facts.isFile()) return `${path} isn’t a file.`
    return facts.size > MOST_BYTES
      ? `${path} is too large for a certificate file.`
      : await file.readFile()
  } finally {
    await file.close()
  }
}

function noneIn(path: string, bytes: Buffer): string {
  return bytes[0] === DER_START
    ? `${path} contains a binary (DER) certificate. Convert it to PEM (Base64).`
    : `${path} contains no certificate. PEM files have lines that start with -----BEGIN CERTIFICATE-----.`
}
