import * as fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import { MARKDOWN_TAGS, readMarkdown } from './result-text'

function drawn(text: string, read = readMarkdown(text)): string {
  return read ? renderToStaticMarkup(read.element) : ''
}

describe('D5: Markdown of a result', () => {
  it('becomes tags with text, and shows links and images as addresses', () => {
    const html = drawn('# A *b*\n\n[c](http://d.example) ![e](f.png)')
    expect(html).toContain('<h4>A <em>b</em></h4>')
    expect(html).toContain('c <code class="wrap-anywhere text-muted">(http://d.example)</code>')
    expect(html).toContain('Image: e <code class="wrap-anywhere text-muted">(f.png)</code>')
    expect(html).not.toMatch(/<(?:a|img)\b/u)
  })

  it('keeps HTML as plain text and escapes invisible characters', () => {
    const html = drawn('<script>alert(1)</script>\n\n<b onclick="x">y</b>\n\na\u202Eb')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toContain('&lt;b onclick=&quot;x&quot;&gt;')
    expect(html).toContain('a&lt;U+202E&gt;b')
  })

  it('contains only known tags and no address that the page follows, whatever the text', () => {
    const part = fc.constantFrom(
      ...['# ', '> ', '- ', '1. ', '*', '_', '`', '```\n', '![', '[', '](', ')', '<b x=y>', '\n'],
      ...['<script>', '&lt;', '\\', 'word', 'javascript:', '\0', '[a]: b\n', '---\n', '    '],
    )
    const known = new Set([...MARKDOWN_TAGS, 'span', 'button'])
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const html = drawn(parts.join(''))
        for (const [, tag = ''] of html.matchAll(/<([a-z][a-z0-9]*)/gu))
          expect(known).toContain(tag)
        expect(html).not.toMatch(/\s(?:href|src|srcset|style|on\w+)=/u)
      }),
    )
  })

  it('is cut or rejected if it is nested too deeply or too long', () => {
    expect(readMarkdown('_*'.repeat(2_001))).toBeUndefined()
    expect(readMarkdown(`${'> '.repeat(200)}deep`)?.isWhole).toBe(false)
    const many = readMarkdown('- a\n'.repeat(8_000))
    expect(many?.isWhole).toBe(false)
    expect(drawn('', many).match(/<li/gu)?.length).toBeLessThanOrEqual(4_000)
    // The result depends on the stack size, but reading never throws.
    expect([undefined, false]).toContain(readMarkdown('> '.repeat(5_000))?.isWhole)
  })
})
