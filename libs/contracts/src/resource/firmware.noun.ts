import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/**
 * Firmware for devices: official versions of the installation's operator, and versions of a company (STORE-01).
 */
export const firmware = defineNoun({
  name: 'firmware',
  title: 'Firmware',
  where: {
    does: 'Firmware: official versions and those of a company, uploaded in parts, with differential packages that are uploaded or made here, signed and told, with a notice to whom and when',
    folders: ['apps/resource/src/firmware', 'apps/resource/src/delta', 'apps/console/src/area/resource/firmware'],
  },
  example: {
    name: 'Example',
    version: '1.0.0',
    models: ['X7A'],
    description: '',
    notice: { whom: 'nobody', at: null },
  },
  upload: { field: 'upload', name: 'example.bin', text: '\u0001\u0002 no text, as an image is none' },
  rights: ['add', 'edit', 'delete'],
  menu: { langKey: 'menu.firmware', path: '/resources/firmwares', icon: 'channelOrder', in: 'resources' },
});

export const firmwareErrors = defineErrors('firmware', {
  versionTaken: {
    status: 409,
    en_US: 'Firmware of this name already has this version.',
    zh_CN: '同名固件已有此版本。',
    ko: '같은 이름의 펌웨어에 이 버전이 이미 있습니다.',
    pt_BR: 'O firmware com este nome já tem esta versão.',
    help: ['A record of the same name and version is there, in any case of letters.', 'Give it its own version.'],
  },
  deltaTaken: {
    status: 409,
    en_US: 'A differential package from version {from} is already there. Delete it first.',
    zh_CN: '已有从版本 {from} 升级的差分包，请先将其删除。',
    ko: '버전 {from}에서 업그레이드하는 차분 패키지가 이미 있습니다. 먼저 삭제하세요.',
    pt_BR: 'Já existe um pacote diferencial a partir da versão {from}. Exclua-o antes.',
    help: [
      'A firmware has one differential package for each version that devices come from.',
      'Delete the one that is there, or choose another version.',
    ],
  },
  deltaSame: {
    status: 400,
    en_US: 'A differential package must be from another version than {version}, which it upgrades to.',
    zh_CN: '差分包的起始版本不能与目标版本 {version} 相同。',
    ko: '차분 패키지의 시작 버전은 대상 버전 {version}과(와) 달라야 합니다.',
    pt_BR: 'O pacote diferencial precisa partir de uma versão diferente de {version}, que é a de destino.',
    help: [
      'The version that the package is from is that of the firmware that it makes.',
      'Name the version that devices have before the upgrade.',
    ],
  },
  deltaLimit: {
    status: 409,
    en_US: 'One firmware can have up to {limit} differential packages. Delete some first.',
    zh_CN: '一个固件最多有 {limit} 个差分包，请先删除部分差分包。',
    ko: '펌웨어 하나에 차분 패키지는 최대 {limit}개입니다. 먼저 일부를 삭제하세요.',
    pt_BR: 'Um firmware pode ter até {limit} pacotes diferenciais. Exclua alguns antes.',
    help: ['So many versions are told to devices with one firmware.', 'Delete packages that nobody needs any more.'],
  },
  deltaQueue: {
    status: 409,
    en_US: '{limit} differential packages of the company wait to be made. Try again when some are done.',
    zh_CN: '公司已有 {limit} 个差分包等待制作，请在部分完成后再试。',
    ko: '회사의 차분 패키지 {limit}개가 만들어지기를 기다리고 있습니다. 일부가 끝난 뒤 다시 시도하세요.',
    pt_BR: '{limit} pacotes diferenciais da empresa esperam ser criados. Tente de novo quando alguns terminarem.',
    help: [
      'Packages are made one after the other, for all companies.',
      'Wait until some are done, or cancel those that nobody needs.',
    ],
  },
  deltaModels: {
    status: 400,
    en_US: 'The two firmware versions have no model in common.',
    zh_CN: '两个固件版本没有共同的适用型号。',
    ko: '두 펌웨어 버전에 공통된 모델이 없습니다.',
    pt_BR: 'As duas versões de firmware não têm nenhum modelo em comum.',
    help: [
      'A device upgrades by a differential package only from firmware of its own model.',
      'Choose a version for the same models.',
    ],
  },
  deltaOwn: {
    status: 400,
    en_US: 'A package for official firmware can be made from official firmware only.',
    zh_CN: '官方固件的差分包只能由官方固件生成。',
    ko: '공식 펌웨어의 차분 패키지는 공식 펌웨어에서만 만들 수 있습니다.',
    pt_BR: 'Um pacote para firmware oficial só pode ser criado a partir de firmware oficial.',
    help: [
      'Every company sees official firmware, and none sees that of another.',
      'Choose an official version, or upload this one as official firmware.',
    ],
  },
  checksumWrong: {
    status: 400,
    en_US: 'The uploaded file has another SHA-256 checksum.',
    zh_CN: '上传的文件的 SHA-256 校验和不一致。',
    ko: '업로드한 파일의 SHA-256 체크섬이 다릅니다.',
    pt_BR: 'O arquivo enviado tem outra soma SHA-256.',
    help: [
      'The file is not the one that the maker published, or it was damaged on its way.',
      'Load it from the maker again, and compare the checksum.',
    ],
  },
  deltaRuns: {
    status: 409,
    en_US: 'A package from version {from} is being created.',
    zh_CN: '正在生成起始版本为 {from} 的差分包。',
    ko: '버전 {from}의 차분 패키지를 만드는 중입니다.',
    pt_BR: 'Um pacote a partir da versão {from} está sendo criado.',
    help: ['One is made from each version at a time.', 'Wait until it is there, or cancel it.'],
  },
  deltaSaves: {
    status: 409,
    en_US: 'The two versions differ too much: the package would save less than 10%.',
    zh_CN: '两个版本差异过大：差分包节省不足 10%。',
    ko: '두 버전의 차이가 너무 큽니다. 패키지로 줄어드는 크기가 10% 미만입니다.',
    pt_BR: 'As duas versões diferem demais: o pacote economizaria menos de 10%.',
    help: [
      'A package that is nearly as large as the image is not kept: images that are encrypted or packed as a whole have nothing in common.',
      'Let devices download the whole firmware.',
    ],
  },
  deltaFailed: {
    status: 500,
    en_US: 'The package could not be created. Try again, or check the service’s log.',
    zh_CN: '无法生成差分包。请重试，或查看服务日志。',
    ko: '차분 패키지를 만들지 못했습니다. 다시 시도하거나 서비스 로그를 확인하세요.',
    pt_BR: 'Não foi possível criar o pacote. Tente novamente ou verifique o log do serviço.',
    help: [
      'It was begun several times, and each time the process ended or the stored files could not be read.',
      'Look at the log of the resource service, and have it made again.',
    ],
  },
  narrowed: {
    status: 403,
    en_US: 'Firmware belongs to the whole company. Only users who see all organizations can change it.',
    zh_CN: '固件属于整个公司：只有可查看全部组织的用户才能更改。',
    ko: '펌웨어는 회사 전체에 속합니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'O firmware pertence a toda a empresa. Só quem vê todas as organizações pode alterá-lo.',
    help: [
      'The caller sees some organizations only, and devices of others may run this firmware.',
      'Ask someone who sees all organizations.',
    ],
  },
  inUse: {
    status: 409,
    en_US:
      '{devices} {devices|device runs this firmware or ran it before|devices run this firmware or ran it before}, and {tasks} open {tasks|task brings|tasks bring} it. It can’t be deleted.',
    zh_CN: '有 {devices} 台设备正在运行或曾运行此固件，{tasks} 个未结束的任务正在下发此固件，无法删除。',
    ko: '장치 {devices}대가 이 펌웨어를 실행 중이거나 직전에 실행했고, 진행 중인 작업 {tasks}개가 이 펌웨어를 설치합니다. 삭제할 수 없습니다.',
    pt_BR:
      '{devices} {devices|dispositivo usa este firmware ou o usou antes|dispositivos usam este firmware ou o usaram antes}, e {tasks} {tasks|tarefa aberta o instala|tarefas abertas o instalam}. Ele não pode ser excluído.',
    help: [
      'A device may have to go back to firmware that it ran, and an open task still brings it. Official firmware counts the devices of all companies.',
      'Wait until the tasks have ended, and upgrade the devices twice, or keep the firmware.',
    ],
  },
});
