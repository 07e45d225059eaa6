import { describe, expect, it } from 'vitest'

import { parseServerJson } from './parse-server-json'

function parse(parts: object) {
  const { server, notices } = parseServerJson({ name: 'a/b', version: '1', ...parts })
  return { server, reported: notices.map(({ code, path }) => `${code} ${path}`) }
}

const png = {
  src: 'https://h.example/a.png',
  mimeType: 'image/png',
  sizes: ['48x48'],
  theme: 'dark',
}

describe('A1: icons', () => {
  it('are kept with their attributes', () => {
    const { server, reported } = parse({ icons: [png, { src: 'https://h.example/icon' }] })
    expect(reported).toEqual([])
    expect(server.icons).toEqual([png, { src: 'https://h.example/icon' }])
  })

  it.each(['png', 'jpeg', 'jpg', 'svg+xml', 'webp'])('may be data: URLs of %s', (type) => {
    const src = `data:image/${type};base64,AAAA`
    expect(parse({ icons: [{ src }] }).server.icons).toMatchObject([
      { src, mimeType: `image/${type}` },
    ])
  })

  it.each<[object, string]>([
    [{ src: 'http://h.example/a.png' }, 'src'],
    [{ src: 'javascript:alert(1)' }, 'src'],
    [{ src: 'file:///a.png' }, 'src'],
    [{ src: 7 }, 'src'],
    [{}, 'src'],
    [{ src: 'data:text/html,<script>' }, ''],
    [{ src: 'data:,x' }, ''],
    [{ src: 'https://h.example/a', mimeType: 'text/html' }, ''],
    [{ src: 'data:text/html,x', mimeType: 'image/png' }, ''],
    [{ src: `data:image/png;base64,${'A'.repeat(200_000)}` }, 'src'],
  ])('are ignored if they may be no picture: %j', (icon, part) => {
    const { server, reported } = parse({ icons: [icon, png] })
    expect(server.icons).toEqual([png])
    expect(reported).toEqual([`invalid-icon icons[0]${part === '' ? '' : `.${part}`}`])
  })

  it('lose an invalid size, and are cut to twenty', () => {
    const { server, reported } = parse({ icons: [{ ...png, sizes: ['any', '1x'] }] })
    expect(server.icons?.[0]?.sizes).toEqual(['any'])
    expect(reported).toEqual(['invalid-icon icons[0].sizes'])
    expect(parse({ icons: Array(50).fill(png) }).server.icons).toHaveLength(20)
  })
})

describe('A1: the repository', () => {
  it('is kept with its folder', () => {
    const repository = { url: 'https://github.com/a/b', source: 'github', subfolder: 'src/b' }
    expect(parse({ repository: { ...repository, id: '7' } }).server.repository).toEqual(repository)
  })
})
