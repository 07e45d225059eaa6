const LONGEST = 5_000
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/u
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/iu
const HOST =
  /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/iu
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/u

/** Formats of JSON Schema (2020-12, validation 7.3) that are fast to check for any text. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => TIME.test(text),
  'date-time': (text) => {
    const [date = '', time = ''] = text.split(/[t ]/iu, 2)
    return isDate(date) && TIME.test(time) && text.length === date.length + 1 + time.length
  },
  duration: (text) =>
    /^P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/u.test(
      text,
    ),
  email: (text) => {
    const at = text.lastIndexOf('@')
    return (
      at > 0 &&
      at <= 64 &&
      /^[^\s@"(),:;<>[\]\\]+$/u.test(text.slice(0, at)) &&
      HOST.test(text.slice(at + 1))
    )
  },
  hostname: (text) => HOST.test(text),
  ipv4: (text) => IPV4.test(text),
  ipv6: (text) => /^[\da-f.]*:[\da-f:.]*$/iu.test(text) && URL.canParse(`http://[${text}]/`),
  uri: (text) => /^[a-z][a-z\d+.-]*:\S*$/iu.test(text) && URL.canParse(text),
  'uri-reference': (text) => !/\s/u.test(text) && URL.canParse(text, 'http://host/'),
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(text),
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? []
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return (
    year !== '' && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  )
}

/** Whether a text has a format; undefined for a format that isn't checked, and for a very long text. */
export function isFormat(format: unknown, text: string): boolean | undefined {
  if (typeof format !== 'string' || !Object.hasOwn(FORMATS, format)) return undefined
  return text.length > LONGEST ? undefined : FORMATS[format]?.(text)
}
