import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

import type { Page } from '@playwright/test'

import { manifestName } from '../src-main/core/app-updates/update-channel'
import { expect, test } from './fixtures/desktop-test'
import { pause } from './fixtures/pause'
import { DEFAULT_OUT_DIR, type DesktopApp, type DesktopLaunch } from './ways-in/desktop-app'

test.skip(({ wayIn }) => wayIn === 'electron', 'Takes the program of Node for an AppImage.')
test.skip(process.platform !== 'linux', 'An AppImage runs on Linux.')

const MANIFEST = manifestName('linux', process.arch)
const PIECES = 10
const NEW_IMAGE = 'Patchbay-99.0.0.AppImage'

/** A program that records its start, like an AppImage runtime that starts the app unless it is only installed. */
const appImage = (name: string): string =>
  `#!/bin/sh\n[ -n "$APPIMAGE_EXIT_AFTER_INSTALL" ] && exit 0\necho ${name} > "$(dirname "$0")/started"\n`

/** A folder of releases on 127.0.0.1. */
class ReleaseFeed {
  readonly key: string
  readonly #files = new Map<string, Buffer>()
  readonly #privateKey
  readonly #server = createServer(({ url = '' }, response) => this.#answer(url, response))
  /** If set, the second half of the download waits for it. */
  hold: Promise<void> | undefined

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    this.#privateKey = privateKey
    this.key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    const image = Buffer.from(appImage('new') + '#'.repeat(200_000))
    this.#files.set(NEW_IMAGE, image)
    const file = {
      url: NEW_IMAGE,
      sha512: createHash('sha512').update(image).digest('base64'),
      size: image.length,
    }
    const releaseNotes = 'Servers start in half the time.'
    const manifest = { version: '99.0.0', files: [file], path: NEW_IMAGE, releaseNotes }
    this.publish(Buffer.from(JSON.stringify(manifest)))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  publish(manifest: Buffer): void {
    this.#files.set(MANIFEST, manifest)
    const signature = sign(null, manifest, this.#privateKey).toString('base64')
    this.#files.set(`${MANIFEST}.sig`, Buffer.from(signature))
  }

  /** Changes a file like an attacker without the key. */
  tamper(name: string, change: (bytes: Buffer) => Buffer): void {
    this.#files.set(name, change(this.#files.get(name) ?? Buffer.alloc(0)))
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #answer(url: string, response: ServerResponse): void {
    const name = url.slice(1).split('?', 1)[0] ?? ''
    const bytes = this.#files.get(name)
    if (!bytes) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-length': bytes.length })
    if (name !== NEW_IMAGE || !this.hold) response.end(bytes)
    else void this.#answerSlowly(bytes, this.hold, response)
  }

  /** electron-updater reports progress once a second. */
  async #answerSlowly(bytes: Buffer, hold: Promise<void>, response: ServerResponse): Promise<void> {
    const size = Math.ceil(bytes.length / 2 / PIECES)
    for (let piece = 0; piece < PIECES; piece += 1) {
      response.write(bytes.subarray(piece * size, (piece + 1) * size))
      await pause(150)
    }
    await hold
    response.end(bytes.subarray(PIECES * size))
  }
}

/** The built app with a feed's address and key, as in a release build, installed as an AppImage. */
class InstalledImage {
  readonly folder = mkdtempSync(join(tmpdir(), 'patchbay-installed-'))
  readonly image = join(this.folder, 'Patchbay-0.2.0.AppImage')
  readonly outDir = join(this.folder, 'out')
  readonly env: DesktopLaunch['env'] & object

  constructor(feed: ReleaseFeed) {
    writeFileSync(this.image, appImage('old'), { mode: 0o755 })
    cpSync(DEFAULT_OUT_DIR, this.outDir, { recursive: true })
    symlinkSync(resolve('node_modules'), join(this.folder, 'node_modules'))
    this.#setFeed({ MAIN_VITE_UPDATE_FEED: feed.url, MAIN_VITE_UPDATE_KEY: feed.key })
    const resources = join(this.folder, 'resources')
    mkdirSync(resources)
    // Written by electron-builder next to the app.
    writeFileSync(join(resources, 'app-update.yml'), 'updaterCacheDirName: patchbay-updater\n')
    const appDir = dirname(dirname(process.execPath))
    this.env = {
      ...{ ED_PACKAGED: '1', ED_RESOURCES: resources, APPIMAGE: this.image, APPDIR: appDir },
      XDG_CACHE_HOME: join(this.folder, 'cache'),
    }
  }

  /** The installed version, by name and content of the program. */
  get installed(): string[] {
    const images = readdirSync(this.folder).filter((name) => name.endsWith('.AppImage'))
    return images.map((name) => {
      const isNew = readFileSync(join(this.folder, name), 'utf8').includes('echo new')
      return `${name} is ${isNew ? 'new' : 'old'}`
    })
  }

  /** The version started after the app quit. */
  get started(): string | undefined {
    const file = join(this.folder, 'started')
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  #setFeed(constants: Readonly<Record<string, string>>): void {
    const chunks = join(this.outDir, 'main/chunks')
    const feedCode = /(function releaseFeed\(env = \{)/
    for (const name of readdirSync(chunks)) {
      const file = join(chunks, name)
      const code = readFileSync(file, 'utf8')
      if (!feedCode.test(code)) continue
      const members = JSON.stringify(constants).slice(1, -1)
      writeFileSync(file, code.replace(feedCode, `$1 ${members},`))
      return
    }
    throw new Error('The build has no releaseFeed.')
  }
}

async function openUpdates({ page }: DesktopApp): Promise<Page> {
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Check for updates' }).scrollIntoViewIfNeeded()
  return page
}

const checkNow = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Check for updates' }).click()

test.describe('D8: updates of the desktop app', () => {
  let feed: ReleaseFeed
  let image: InstalledImage
  test.beforeEach(async () => {
    feed = new ReleaseFeed()
    await feed.listen()
    image = new InstalledImage(feed)
  })
  test.afterEach(() => {
    feed.close()
    image.remove()
  })

  test(
    'downloads with progress, shows the release notes, and installs on quit',
    { tag: '@gate' },
    async ({ desktop }) => {
      let release: () => void = () => undefined
      feed.hold = new Promise((done) => (release = done))
      const app = await desktop.launch(image.env, [], { outDir: image.outDir })
      const page = await openUpdates(app)
      await checkNow(page)
      await expect(page.getByText(/^Downloading version 99\.0\.0: [1-9]\d?%\.$/)).toBeVisible()
      await expect(page.getByText('Servers start in half the time.')).toBeVisible()
      release()
      await expect(page.getByRole('button', { name: 'Restart to update' })).toBeVisible()
      expect(image.installed, 'before it quits').toEqual(['Patchbay-0.2.0.AppImage is old'])
      expect(await app.close()).toBe(0)
      expect(image.installed).toEqual([`${NEW_IMAGE} is new`])
      expect(image.started).toBeUndefined()
    },
  )

  test('restarts into the new version on request', async ({ desktop }) => {
    const app = await desktop.launch(image.env, [], { outDir: image.outDir })
    const page = await openUpdates(app)
    await checkNow(page)
    await page.getByRole('button', { name: 'Restart to update' }).click()
    expect(await app.exited()).toBe(0)
    expect(image.installed).toEqual([`${NEW_IMAGE} is new`])
    await expect.poll(() => image.started).toBe('new')
  })

  test('installs nothing that was changed after its release', async ({ desktop }) => {
    const app = await desktop.launch(image.env, [], { outDir: image.outDir })
    const page = await openUpdates(app)
    feed.tamper(NEW_IMAGE, (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from('!')]))
    await checkNow(page)
    await expect(page.getByText(/couldn’t be downloaded|not the file/)).toBeVisible()
    feed.tamper(MANIFEST, (bytes) => Buffer.from(bytes.toString().replace('99.0.0', '98.0.0')))
    await checkNow(page)
    await expect(page.getByText(/isn’t signed with Patchbay’s release key/)).toBeVisible()
    expect(await app.close()).toBe(0)
    expect(image.installed).toEqual(['Patchbay-0.2.0.AppImage is old'])
  })

  test('downloads nothing if the AppImage was moved since its start', async ({ desktop }) => {
    const app = await desktop.launch(image.env, [], { outDir: image.outDir })
    const page = await openUpdates(app)
    rmSync(image.image)
    await checkNow(page)
    await expect(page.getByText(`Patchbay can't replace ${image.image}.`)).toBeVisible()
    expect(await app.close()).toBe(0)
    expect(image.installed).toEqual([])
  })
})
