import svgCaptcha from 'svg-captcha';

const draw = svgCaptcha as unknown as (text: string, options: object) => string;
const numbers = (path: string): number[] => [...path.matchAll(/-?\d+(\.\d+)?/g)].map((m) => Number(m[0]));
const kinds = (path: string): string => path.replace(/[^A-Z]/g, '');
/** Returns the shapes of a picture from left to right. Disturbing lines are stroked, not filled. */
const shapes = (svg: string): string[] =>
  [...svg.matchAll(/<path fill="#[^"]*" d="([^"]+)"/g)]
    .map((m) => m[1]!)
    .sort((a, b) => numbers(a)[0]! - numbers(b)[0]!);

/** Reads the picture like a person: takes the most similar letter for each shape. */
export function readPicture(svg: string): string {
  const known = [...'ABCDEFGHJKLMNPQRTUVWXY346789'].map((letter) => ({
    letter,
    path: shapes(draw(letter, { fontSize: 50, background: '#fff' }))[0]!,
  }));
  const relative = (path: string): number[] => numbers(path).map((n, i, all) => n - all[i % 2]!);
  return shapes(svg)
    .map((path) => {
      const at = relative(path);
      const distance = (other: string): number =>
        kinds(other) === kinds(path)
          ? relative(other).reduce((sum, n, i) => sum + Math.abs(n - at[i]!), 0)
          : Number.POSITIVE_INFINITY;
      return known.toSorted((a, b) => distance(a.path) - distance(b.path))[0]!.letter;
    })
    .join('');
}
