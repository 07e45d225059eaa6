import type { WebContents, WebFrameMain } from 'electron'
import { describe, expect, it } from 'vitest'

import {
  canOpenExternally,
  isRendererUrl,
  isTrustedSender,
  toExternalUrl,
} from './renderer-address'

const contents = () => ({}) as unknown as WebContents
const ours = contents()
const frame = (url: string, parent: WebFrameMain | null = null) =>
  ({ url, parent }) as unknown as WebFrameMain
const page = 'app://patchbay/index.html'

describe('D7: trusted senders', () => {
  it('are the top frame of our window on our own page', () => {
    expect(isTrustedSender({ sender: ours, senderFrame: frame(page) }, ours)).toBe(true)
  })

  it.each([
    ['another window', { sender: contents(), senderFrame: frame(page) }],
    ['a subframe', { sender: ours, senderFrame: frame(page, frame(page)) }],
    ['a frame that is gone', { sender: ours, senderFrame: null }],
    ['another host', { sender: ours, senderFrame: frame('app://elsewhere/index.html') }],
    ['another scheme', { sender: ours, senderFrame: frame('https://patchbay/index.html') }],
    ['a file', { sender: ours, senderFrame: frame('file:///patchbay/index.html') }],
    ['an empty page', { sender: ours, senderFrame: frame('about:blank') }],
    ['a frame without an address', { sender: ours, senderFrame: frame('') }],
  ])('exclude %s', (_who, event) => {
    expect(isTrustedSender(event, ours)).toBe(false)
  })

  it("don't exist without a window", () => {
    const event = { sender: undefined as unknown as WebContents, senderFrame: frame(page) }
    expect(isTrustedSender(event, undefined)).toBe(false)
  })
})

describe('D7: addresses', () => {
  it.each([
    'app://patchbay.evil/x',
    'app://patchbay:81/x',
    'app:patchbay',
    'APPX://patchbay/',
    'javascript:app://patchbay/',
  ])('%s is not the renderer', (address) => {
    expect(isRendererUrl(address)).toBe(false)
  })

  it.each([
    ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
    ['http://example.com/', undefined],
    ['file:///etc/passwd', undefined],
    ['javascript:alert(1)', undefined],
    ['smb://share/x', undefined],
    ['https://user:word@example.com/', undefined],
    ['not an address', undefined],
  ])('%s opens outside as %s', (address, opened) => {
    expect(toExternalUrl(address)).toBe(opened)
  })

  it('open whatever their length, except long ones on Windows', () => {
    const long = `https://login.example.com/?scope=${'a'.repeat(2_100)}`
    expect(canOpenExternally(long, 'linux')).toBe(true)
    expect(canOpenExternally(long, 'win32')).toBe(false)
    expect(canOpenExternally('https://login.example.com/', 'win32')).toBe(true)
  })
})
