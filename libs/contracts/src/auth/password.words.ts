/**
 * Stems of commonly tried passwords: what people choose when they need a capital letter, a digit and a symbol. With
 * years, sequences, keyboard rows and letters written as digits they cover most of the lists that attackers try
 * (`password.ts`). Lower case; habits of four languages.
 */
export const commonWords: readonly string[] = `
abc access account adm admin administrator adobe alexander alexis amanda america amor andrea andrew angel angels
anthony apple april arsenal asdf asdfgh ashley august austin autumn babygirl backup bailey banana baseball basketball
batman benfica biteme blink bonjour brasil brazil buster butterfly celtic change changeit changeme charlie cheese
chelsea chester chicken chocolate cisco client coffee company computer configure cookie corona corinthians cowboy
daniel database december default demo device diamond diamonds dolphin door dragon dubai eagle elizabeth email enter
eminem fanvil february flamengo flower football forever freedom friday friends fuckyou gateway george ginger girl
google guest hallo hannah harley hello hockey hola hottie hunter iloveyou intercom internet ironman jackson january
jasmine jennifer jessica jesus jordan joshua july june justin keyboard killer kitty konnichiwa korea lakers legend
letmein liverpool login london looking love lovely loveme lovers machine maggie manager manchester march martin master
matrix matthew maverick mercedes merlin michael michelle microsoft minecraft mobile monday money monkey monster morgan
mother mustang myspace naruto nascar network nicole nihao ninja november october office operator oracle orange
ordinateur palmeiras panda parola pass passe passw passwd passwort password passwords pepper phantom phone pokemon
portal power princess private purple pussy qazwsx qwer qwert qwerty qwertz azerty rainbow ranger remote reset root
router samsung santos sarah saturday school secret secure security senha september server service shadow silver
singapore soccer software spider spring starwars start student summer sunday sunshine superman supervisor support
switch sysadmin system teacher technical temp temporary test tester testing thomas thunder thursday tigger tinkerbell
trustno trustnoone tuesday unicorn unknown user vacation video voip wachtwoord wednesday welcome whatever william
windows winner winter wireless wizard woaini xiaoming yamaha yankees yellow zaq contrasena contraseña motdepasse
changethis letmeinnow sip telefone telefono telephone portaria porteiro mima guanliyuan gwanlija bimilbeonho annyeong
saranghae
`
  .trim()
  .split(/\s+/);

/** Keyboard rows: any four neighbouring keys, in either direction, count as common. */
export const keyRows: readonly string[] = [
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb',
  'qazwsxedcrfv',
  '1q2w3e4r5t6y7u8i9o',
  'q1w2e3r4t5y6',
  'zaq12wsx',
  'zaq1xsw2cde3',
  'abcdefghijklmnopqrstuvwxyz',
];
