import { X509Certificate } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import { makeAuthority } from '../../../e2e/fixtures/own-authority'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { readCertificateFile } from './network-choice'

const first = makeAuthority(['a.invalid'])
const second = makeAuthority(['b.invalid'])
let folder = ''
beforeEach(() => (folder = tempFolder('certificates')))

function written(content: string | Buffer): string {
  const file = join(folder, 'acme.pem')
  writeFileSync(file, content)
  return file
}

describe('E8: a certificate file', () => {
  it('provides all its certificates, with any text around them and any line ends', async () => {
    const text = `# Acme\r\n${first.authority.replaceAll('\n', '\r\n')}subject=x\n${second.authority}`
    const { certificates, problem } = await readCertificateFile(written(text))
    expect(problem).toBeUndefined()
    const known = [first, second].map((one) => new X509Certificate(one.authority).toString())
    expect(certificates).toEqual(known)
  })

  it.each<[string, () => string | Buffer, RegExp]>([
    ['holds none', () => 'hello\n', /contains no certificate/u],
    ['is empty', () => '', /contains no certificate/u],
    ['holds a key alone', () => first.key, /contains no certificate/u],
    [
      'is in binary form',
      () => new X509Certificate(first.authority).raw,
      /contains a binary.*DER/u,
    ],
    [
      'has a damaged one beside a whole one',
      () => `${first.authority}${second.authority.replace(/\n.{20}/u, '\nAAAAAAAAAAAAAAAAAAAA')}`,
      /damaged/u,
    ],
    ['is far too large', () => Buffer.alloc(6 * 1024 * 1024, 'x'), /too large/u],
  ])('that %s is named by its path, and provides nothing', async (_what, content, words) => {
    const file = written(content())
    const { certificates, problem } = await readCertificateFile(file)
    expect(certificates).toEqual([])
    expect(problem).toMatch(words)
    expect(problem).toContain(file)
  })

  it('that is missing, is a folder, or has no absolute path is reported', async () => {
    mkdirSync(join(folder, 'inner'))
    const paths = [join(folder, 'none.pem'), join(folder, 'inner'), 'acme.pem']
    const read = await Promise.all(paths.map(readCertificateFile))
    expect(read.map(({ problem }) => problem)).toEqual([
      `File not found: ${paths[0] ?? ''}.`,
      expect.stringContaining(paths[1] ?? ''),
      'acme.pem isn’t an absolute path.',
    ])
    expect(read.flatMap(({ certificates }) => certificates)).toEqual([])
  })
})
