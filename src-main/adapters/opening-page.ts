import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { messageOf } from '../core/failure/describe-failure'
import { writeOwnText } from '../core/storage/own-file'

/**
 * Writes the profile's page that leads to a link of `patchbay serve`, and returns its path; undefined if the profile isn't writable. The
 * page is private, so its path may appear in a program's arguments, which other accounts see; the link may not.
 */
export function writeOpeningPage(profileDir: string, link: string): string | undefined {
  const path = openingPage(profileDir)
  try {
    writeOwnText(path, pageTo(link))
    return path
  } catch (error) {
    report('written', path, error)
    return undefined
  }
}

/** Removes the page once its link has expired; never throws. */
export function removeOpeningPage(profileDir: string): void {
  const path = openingPage(profileDir)
  try {
    rmSync(path, { force: true })
  } catch (error) {
    report('removed', path, error)
  }
}

function report(what: string, path: string, error: unknown): void {
  process.stderr.write(`patchbay: ${path} couldn’t be ${what} (${messageOf(error)}).\n`)
}

function openingPage(profileDir: string): string {
  return join(profileDir, 'open', 'patchbay.html')
}

function pageTo(link: string): string {
  const address = encodeURI(link)
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    `<meta http-equiv="refresh" content="0; url=${address}">`,
    '<title>Patchbay</title>',
    `<p><a href="${address}">Open Patchbay</a></p>`,
    '</html>\n',
  ].join('\n')
}
