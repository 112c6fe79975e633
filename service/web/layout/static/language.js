/* The language of the page, which whatever it fetches is asked for in: another tab may choose another. */

export const lang = document.documentElement.lang;

/** An address of this site, in the language of the page. */
export function spoken(address) {
  const url = new URL(address, location.href);
  url.searchParams.set("lang", lang);
  return url;
}
