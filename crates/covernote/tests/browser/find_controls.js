// Finds controls by the words that a person reads. Body of a function (kind, groups, name) that WebDriver runs.
// Returns { found, there }: the controls with that name in the groups, and all names in the groups.
const [kind, groups, name] = arguments;

// Elements for screen readers only are one pixel large.
const isVisible = element =>
  element.checkVisibility({ visibilityProperty: true }) &&
  [...element.getClientRects()].some(box => box.width > 1 && box.height > 1);

const inOneLine = text => text.replace(/\s+/g, ' ').trim();

// The text of an element, without the values of its controls and without elements that screen readers ignore.
const words = node => {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE) return '';
  if (node.matches('select, textarea, script, style, [aria-hidden=true]')) return '';
  if (!node.checkVisibility({ visibilityProperty: true })) return '';
  const inside = [...node.childNodes].map(words).join('');
  return getComputedStyle(node).display === 'inline' ? inside : ` ${inside} `;
};
const wordsOf = element => inOneLine(words(element));

// Elements with this name. If there are none, those whose name begins with it.
const called = (wanted, elements, nameOf) => {
  const whole = elements.filter(element => nameOf(element) === inOneLine(wanted));
  return whole.length > 0 ? whole : elements.filter(element => nameOf(element).startsWith(inOneLine(wanted)));
};

const ariaName = element => {
  const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
  const named = ids.map(id => document.getElementById(id)).filter(Boolean).map(wordsOf).join(' ');
  return inOneLine(named || (element.getAttribute('aria-label') ?? ''));
};

const GROUPS =
  'fieldset, form, section, article, details, dialog, li, tr, dl > div, [role=group], [role=radiogroup], [role=region]';
const TITLES = 'legend, h1, h2, h3, h4, h5, h6, summary, th, dt';
const groupName = group => {
  const title = group.querySelector(TITLES);
  return ariaName(group) || (title ? wordsOf(title) : '');
};

let parts = [document];
for (const wanted of groups) {
  const there = parts.flatMap(part => [...part.querySelectorAll(GROUPS)]).filter(isVisible);
  const matching = called(wanted, there, groupName);
  // A form that contains only a fieldset has the same name, so keep only the innermost groups.
  parts = matching.filter(group => !matching.some(other => other !== group && group.contains(other)));
  if (parts.length === 0) return { found: [], there: { groups: there.map(groupName).filter(Boolean) } };
}
const all = selector => [...new Set(parts.flatMap(part => [...part.querySelectorAll(selector)]))];

if (kind === 'button') {
  const BUTTONS = 'button, a[href], summary, input[type=submit], input[type=button], [role=button], [role=link]';
  const buttonName = button => ariaName(button) || (button.matches('input') ? button.value : wordsOf(button));
  const there = all(BUTTONS).filter(button => isVisible(button) && !button.matches(':disabled'));
  return { found: called(name, there, buttonName).map(control => ({ control })), there: there.map(buttonName) };
}

const CHOICES = 'input[type=radio], input[type=checkbox]';
const FIELDS = `input:not(${CHOICES}, [type=submit], [type=button], [type=hidden]), select, textarea`;
const there = all('label').filter(
  label => isVisible(label) && label.control?.matches(kind === 'choice' ? CHOICES : FIELDS) && !label.control.disabled,
);
const found = called(name, there, wordsOf).map(label => ({ control: label.control, label }));
return { found, there: there.map(wordsOf) };
