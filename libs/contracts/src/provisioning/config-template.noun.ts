import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/**
 * Settings for all devices of a company, for those of an organization, site, series, model or group, or for one
 * device (CFG-01).
 */
export const configTemplate = defineNoun({
  name: 'configTemplate',
  title: 'Configuration templates',
  where: {
    does: 'Configuration templates: typed settings and keys of phones for all devices or for some, from which the configuration of each device is made',
    folders: [
      'apps/provisioning/src/config-template',
      'apps/provisioning/src/config-lock',
      'apps/console/src/area/device/config-template',
      'apps/console/src/area/device/phone-key',
    ],
  },
  example: {
    name: 'Example',
    description: '',
    level: 'model',
    target: 'X7A',
    values: { 'time.server': 'ntp.example' },
  },
  rights: ['add', 'edit', 'delete'],
  menu: { langKey: 'menu.configTemplates', path: '/setting/index', icon: 'configTemplate', before: 'account' },
});

export const configTemplateErrors = defineErrors('configTemplate', {
  nameTaken: {
    status: 409,
    en_US: 'A template with this name already exists.',
    zh_CN: '已存在同名模板。',
    ko: '같은 이름의 템플릿이 이미 있습니다.',
    pt_BR: 'Já existe um modelo de configuração com este nome.',
    help: ['Another configuration template of the company has this name.', 'Choose another name.'],
  },
  targetTaken: {
    status: 409,
    en_US: 'Another template is already for these devices: {name}. Edit that one.',
    zh_CN: '已有模板用于这些设备：{name}。请编辑该模板。',
    ko: '이 장치들을 위한 템플릿이 이미 있습니다: {name}. 그 템플릿을 편집하세요.',
    pt_BR: 'Outro modelo de configuração já vale para estes dispositivos: {name}. Edite aquele.',
    help: [
      'There is one template for all devices, and at most one for each organization, site, series, model, group and device, so that it is clear which value wins.',
      'Edit the template that the message names.',
    ],
  },
  targetMissing: {
    status: 400,
    en_US: 'This organization, site or device no longer exists.',
    zh_CN: '该组织、站点或设备已不存在。',
    ko: '이 조직, 사이트 또는 장치가 더 이상 없습니다.',
    pt_BR: 'Esta organização, este local ou este dispositivo não existe mais.',
    help: [
      'The target of the template was deleted, or is not known to the service yet.',
      'Choose another target, or try again in a moment when it was just added.',
    ],
  },
  notLockable: {
    status: 400,
    en_US: 'Only settings in the template for all devices can be locked.',
    zh_CN: '只有适用于全部设备的模板中的设置才能锁定。',
    ko: '모든 장치용 템플릿에 있는 설정만 잠글 수 있습니다.',
    pt_BR: 'Só os ajustes do modelo de configuração para todos os dispositivos podem ser bloqueados.',
    help: [
      'A locked setting wins over every other template of the company and of the companies below it, so it stands in the template for all devices, with its value.',
      'Add the setting to the template for all devices and lock it there.',
    ],
  },
  empty: {
    status: 400,
    en_US: 'Add at least one setting.',
    zh_CN: '请至少添加一项设置。',
    ko: '설정을 하나 이상 추가하세요.',
    pt_BR: 'Adicione ao menos um ajuste.',
    help: ['A template without a setting changes nothing on any device.', 'Add a setting, or delete the template.'],
  },
  settingValue: {
    status: 400,
    en_US: 'This setting can’t have this value.',
    zh_CN: '该设置不接受此值。',
    ko: '이 설정에는 이 값을 쓸 수 없습니다.',
    pt_BR: 'Este ajuste não aceita este valor.',
    help: [
      'The value is outside of the range of the setting, is none of its choices, or has another type.',
      'Enter a value that the form offers; the list of settings names the type and range of each.',
    ],
  },
  password: {
    status: 400,
    en_US: 'Use 6 to 30 letters, digits and the signs ! # $ * + - . / = ? @ _ for this password.',
    zh_CN: '此密码需为 6 至 30 个字符，可用字母、数字和符号 ! # $ * + - . / = ? @ _。',
    ko: '이 비밀번호에는 영문자, 숫자와 기호 ! # $ * + - . / = ? @ _를 6~30자로 사용하세요.',
    pt_BR: 'Use de 6 a 30 letras, dígitos e os sinais ! # $ * + - . / = ? @ _ nesta senha.',
    help: [
      'The password is too short or too long, or has a character that the files or the keypads of some makers can’t hold.',
      'Choose another password.',
    ],
  },
  passwordVisit: {
    status: 403,
    en_US: 'Only users of the company itself set this password.',
    zh_CN: '只有本公司的用户才能设置此密码。',
    ko: '이 비밀번호는 해당 회사의 사용자만 설정할 수 있습니다.',
    pt_BR: 'Só usuários da própria empresa definem esta senha.',
    help: [
      'A visitor who sets the password of phones could open them after the visit.',
      'Leave the password as it is, and ask an administrator of the company to enter it.',
    ],
  },
  passwordGone: {
    status: 400,
    en_US: 'The password is not known. Enter it again.',
    zh_CN: '该密码未知，请重新输入。',
    ko: '알 수 없는 비밀번호입니다. 다시 입력하세요.',
    pt_BR: 'A senha não é conhecida. Informe-a de novo.',
    help: [
      'The values name a password that this company does not have, or no longer has.',
      'Send the text of the password with `passwords`, or remove the setting.',
    ],
  },
  keyType: {
    status: 400,
    en_US: 'A key can’t do this.',
    zh_CN: '按键不支持此功能。',
    ko: '키에 이 기능을 지정할 수 없습니다.',
    pt_BR: 'Uma tecla não pode ter esta função.',
    help: ['The type of the key is none of the list.', 'Choose one of the types that the form offers.'],
  },
  keyValue: {
    status: 400,
    en_US: 'This value doesn’t fit the function of the key.',
    zh_CN: '该值与按键功能不符。',
    ko: '이 값은 키의 기능에 맞지 않습니다.',
    pt_BR: 'Este valor não combina com a função da tecla.',
    help: [
      'A speed dial, a monitored number and a parking place take a number or a SIP address; tones take 0 to 9, A to D, *, # and commas; multicast paging takes an address from 224.0.0.0 to 239.255.255.255 with a port; a page takes an http or https address; other functions take no value.',
      'Enter a value of this kind.',
    ],
  },
  keysMany: {
    status: 400,
    en_US: 'A template can set at most 96 keys.',
    zh_CN: '一个模板最多可设置 96 个按键。',
    ko: '템플릿 하나에는 키를 최대 96개까지 설정할 수 있습니다.',
    pt_BR: 'Um modelo de configuração pode definir no máximo 96 teclas.',
    help: [
      'The template has more keys than one template may have.',
      'Clear keys that the phones do not need, or set some of them in another template, such as that of a group.',
    ],
  },
  settingName: {
    status: 400,
    en_US: 'This is no setting of a template, or not the form of a name in this maker’s files.',
    zh_CN: '模板没有此设置，或该名称不符合此厂商文件的格式。',
    ko: '템플릿에 없는 설정이거나, 이 제조사의 파일에 맞지 않는 이름 형식입니다.',
    pt_BR: 'Este não é um ajuste de um modelo, ou o nome não tem a forma dos arquivos deste fabricante.',
    help: [
      'A template has settings of the catalogue, keys of the phone, and raw settings by maker and name.',
      'Write the name as the maker’s documentation writes it; the form shows an example.',
    ],
  },
  rawValue: {
    status: 400,
    en_US: 'Enter a text in one line with at most 256 characters.',
    zh_CN: '请输入不超过 256 个字符的单行文本。',
    ko: '256자 이하의 한 줄 텍스트를 입력하세요.',
    pt_BR: 'Digite um texto de uma linha com no máximo 256 caracteres.',
    help: [
      'The value of a raw setting is longer, or has a line break or another control character.',
      'Write the value as the maker’s files have it, without quotation marks around it.',
    ],
  },
  rawSecret: {
    status: 400,
    en_US: 'A raw setting can’t hold a password or a key: everyone who may read the template would see it.',
    zh_CN: '原始设置不能包含密码或密钥：所有可读取该模板的人都会看到。',
    ko: '원시 설정에는 비밀번호나 키를 넣을 수 없습니다. 템플릿을 읽을 수 있는 모든 사람이 보게 됩니다.',
    pt_BR: 'Um ajuste bruto não pode conter senha nem chave: todos que podem ler o modelo a veriam.',
    help: [
      'Values of a template are shown to everyone who may read templates, and are in its versions and in the operation log.',
      'Use the setting for the administrator’s password. Passwords of SIP accounts come with the account.',
    ],
  },
  rawMany: {
    status: 400,
    en_US: 'A template can have at most 64 raw settings, and fewer when they are long.',
    zh_CN: '一个模板最多可有 64 个原始设置，内容较长时更少。',
    ko: '템플릿 하나에는 원시 설정을 최대 64개까지 둘 수 있으며, 길면 더 적습니다.',
    pt_BR: 'Um modelo pode ter no máximo 64 ajustes brutos, e menos quando são longos.',
    help: [
      'The raw settings of the template are more or longer than one template may have.',
      'Remove some, or set them in another template, such as that of a model or a group.',
    ],
  },
  rawOwn: {
    status: 400,
    en_US: 'Carillon sets “{name}” itself: by a setting of the list, the account of a line, a task or its own address.',
    zh_CN: '“{name}”由 Carillon 通过列表中的设置、线路的账号、任务或其自身地址来设置。',
    ko: '“{name}” 값은 목록의 설정, 회선의 계정, 작업 또는 자체 주소를 통해 Carillon이 직접 설정합니다.',
    pt_BR:
      'O próprio Carillon define “{name}”: por um ajuste da lista, pela conta de uma linha, por uma tarefa ou pelo seu endereço.',
    help: [
      'The name is one that Carillon writes: a setting of the catalogue, a line with its account, an action URL, firmware, or the address for the configuration.',
      'Choose the setting in the list, assign the account to the line of the device, or upgrade the firmware by a task.',
    ],
  },
  changed: {
    status: 409,
    en_US:
      'The template was changed meanwhile: it is at version {version}. Check what your values replace, then save again.',
    zh_CN: '该模板已被更改，当前为版本 {version}。请检查您的值将替换哪些内容，然后再次保存。',
    ko: '그동안 템플릿이 변경되어 현재 버전 {version}입니다. 입력한 값이 무엇을 바꾸는지 확인한 후 다시 저장하세요.',
    pt_BR:
      'O modelo de configuração foi alterado nesse meio-tempo: está na versão {version}. Confira o que seus valores substituem e salve de novo.',
    help: [
      'Someone else saved the template after it was opened. Nothing was stored.',
      'Look at the version that it has now. Saving again replaces its values; the former ones stay as a version.',
    ],
  },
  currentVersion: {
    status: 409,
    en_US: 'The template already has the values of this version.',
    zh_CN: '该模板的值已与此版本相同。',
    ko: '템플릿의 값이 이미 이 버전과 같습니다.',
    pt_BR: 'O modelo de configuração já tem os valores desta versão.',
    help: ['Going back to a version with the same values would change nothing.', 'Choose a version with other values.'],
  },
  narrowed: {
    status: 403,
    en_US: 'Templates belong to the whole company. Only users who see all organizations can change them.',
    zh_CN: '模板属于整个公司：只有可查看全部组织的用户才能更改。',
    ko: '템플릿은 회사 전체에 속합니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'Os modelos de configuração pertencem a toda a empresa. Só quem vê todas as organizações pode alterá-los.',
    help: [
      'The caller sees some organizations only, and devices of others get the settings of these templates.',
      'Ask someone who sees all organizations.',
    ],
  },
});
