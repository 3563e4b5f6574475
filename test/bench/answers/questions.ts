/** A question, and where its answer is; a question without a file has no answer in the documents. */
export interface Question {
  ask: string;
  /** The answer's file, by its name. */
  file?: string;
  /** Text that the right chunk, and the right answer, contains. */
  find?: string;
}

/** The half that the models were tuned on. */
export const TUNING: Question[] = [
  // English, prose
  {
    ask: 'How many hours does the regular working week have?',
    file: 'employee-handbook.md',
    find: '38 hours',
  },
  {
    ask: 'How many days of paid holidays do employees get per year?',
    file: 'employee-handbook.md',
    find: '28 days of paid holiday',
  },
  { ask: 'When do unused holiday days lapse?', file: 'employee-handbook.md', find: '31 March' },
  {
    ask: 'By what time must I tell my manager that I am ill?',
    file: 'employee-handbook.md',
    find: 'before 09:30',
  },
  {
    ask: 'How long does the probation period last?',
    file: 'employee-handbook.md',
    find: 'four months',
  },
  {
    ask: 'What must I do when my laptop is stolen?',
    file: 'employee-handbook.md',
    find: 'within two hours',
  },
  {
    ask: 'daily allowances for meals abroad',
    file: 'employee-handbook.md',
    find: '52 euros abroad',
  },
  {
    ask: 'How long are the passwords supposed to be?',
    file: 'employee-handbook.md',
    find: 'fourteen characters',
  },
  { ask: 'Who is the ombudsperson?', file: 'employee-handbook.md', find: 'Tobias Achterberg' },
  {
    ask: 'How heavy is the outdoor unit of the heat pump, in kilograms?',
    file: 'heat-pump-manual.txt',
    find: '148 kilograms',
  },
  { ask: 'What does E09 mean?', file: 'heat-pump-manual.txt', find: 'E09 High pressure' },
  {
    ask: 'Which refrigerant does the Boreal 12 use?',
    file: 'heat-pump-manual.txt',
    find: 'R290 (propane)',
  },
  {
    ask: 'How often is the hot water heated against legionella?',
    file: 'heat-pump-manual.txt',
    find: '65 degrees',
  },
  {
    ask: 'How often do I have to clean the dirt filters?',
    file: 'heat-pump-manual.txt',
    find: 'once a year',
  },
  {
    ask: 'What is the guarantee of the compressor?',
    file: 'heat-pump-manual.txt',
    find: 'ten years for the compressor',
  },
  {
    ask: 'What do I do if I smell gas?',
    file: 'heat-pump-manual.txt',
    find: 'do not touch any switch',
  },
  { ask: 'How long does a delivery take?', file: 'shop-faq.md', find: 'Two to four working days' },
  { ask: 'Do you accept cheques?', file: 'shop-faq.md', find: 'do not take cheques' },
  { ask: 'Where is the showroom of Pomelo?', file: 'shop-faq.md', find: 'Kammenstraat 18' },
  {
    ask: 'How much was the revenue in the first quarter?',
    file: 'minutes-2025-05-06.md',
    find: '1.92 million',
  },
  {
    ask: 'Which bid was the cheapest for the warehouse construction?',
    file: 'minutes-2025-05-06.md',
    find: 'Bouwgroep Maes',
  },
  { ask: 'When does Emre Yildiz start?', file: 'minutes-2025-05-06.md', find: '16 June' },
  {
    ask: 'What do the hardware keys cost?',
    file: 'minutes-2025-05-06.md',
    find: '28 euros apiece',
  },
  // English, licences
  {
    ask: 'What does "Source form" mean in the Apache License?',
    file: 'apache-2.0.txt',
    find: 'preferred form for making modifications',
  },
  {
    ask: 'Who may publish revised versions of the GNU General Public License?',
    file: 'gpl-3.0.txt',
    find: 'Free Software Foundation may publish',
  },
  { ask: 'What is a User Product?', file: 'gpl-3.0.txt', find: 'tangible personal property' },
  {
    ask: 'How many days after notice of a first violation can a licence be reinstated?',
    file: 'gpl-3.0.txt',
    find: '30 days',
  },
  {
    ask: 'Who is the license steward of the Mozilla Public License?',
    file: 'mpl-2.0.txt',
    find: 'Mozilla Foundation is the license steward',
  },
  {
    ask: 'Does CC0 waive trademark or patent rights?',
    file: 'cc0-1.0.txt',
    find: 'No trademark or patent rights',
  },
  // Tables
  { ask: 'What is the population of Berlin?', file: 'european-cities.csv', find: '3755251' },
  { ask: 'Which river flows through Ljubljana?', file: 'european-cities.csv', find: 'Ljubljanica' },
  { ask: 'In which city was Mozart born?', file: 'european-cities.csv', find: 'Mozart was born' },
  {
    ask: 'When did the first underground railways open?',
    file: 'european-cities.csv',
    find: 'opened in 1863',
  },
  { ask: 'What is the price of the espresso machine Vela?', file: 'products.csv', find: '289.00' },
  { ask: 'What colour is the lawn mower Grazer?', file: 'products.csv', find: 'GX-2015' },
  { ask: 'What is article SX-4040?', file: 'products.csv', find: 'Folding kayak' },
  // German
  {
    ask: 'Wie hoch ist die monatliche Grundmiete?',
    file: 'hausordnung-und-mietvertrag.md',
    find: '845 Euro',
  },
  { ask: 'Wann ist Nachtruhe?', file: 'hausordnung-und-mietvertrag.md', find: '22 bis 6 Uhr' },
  {
    ask: 'Darf ich mit Holzkohle grillen?',
    file: 'hausordnung-und-mietvertrag.md',
    find: 'Holzkohlegrills sind nicht erlaubt',
  },
  {
    ask: 'Wer ist der Hausmeister?',
    file: 'hausordnung-und-mietvertrag.md',
    find: 'Detlef Brüggemann',
  },
  {
    ask: 'Was kostet eine Wäsche in der Waschmaschine?',
    file: 'hausordnung-und-mietvertrag.md',
    find: '2,50 Euro',
  },
  {
    ask: 'Wie gross ist die Wohnflaeche?',
    file: 'hausordnung-und-mietvertrag.md',
    find: '78,5 Quadratmeter',
  },
  // French
  {
    ask: 'À quelle altitude se trouve le refuge ?',
    file: 'guide-du-refuge.md',
    find: '2 346 mètres',
  },
  {
    ask: 'Combien coûtent les nuitées pour les adultes ?',
    file: 'guide-du-refuge.md',
    find: '23 euros pour un adulte',
  },
  {
    ask: 'Les chiens sont-ils admis dans le refuge ?',
    file: 'guide-du-refuge.md',
    find: 'chiens ne sont pas admis',
  },
  { ask: 'Où peut-on se baigner ?', file: 'guide-du-refuge.md', find: 'baignade est permise' },
  // Spanish
  {
    ask: '¿Cuál es la velocidad de descarga?',
    file: 'contrato-de-servicio.txt',
    find: '600 megabits',
  },
  {
    ask: '¿Cuánto cuesta la instalación?',
    file: 'contrato-de-servicio.txt',
    find: 'La instalación cuesta 60 euros',
  },
  {
    ask: '¿En qué plazo se reparan las averias?',
    file: 'contrato-de-servicio.txt',
    find: '48 horas laborables',
  },
  {
    ask: '¿Cuántos canales tiene el paquete Mirador?',
    file: 'contrato-de-servicio.txt',
    find: '85 canales',
  },
  // Japanese, Chinese, Korean
  {
    ask: '霧島台市立図書館の休館日はいつですか。',
    file: '市立図書館利用案内.md',
    find: '毎週月曜日',
  },
  {
    ask: '本と雑誌は何冊まで借りられますか。',
    file: '市立図書館利用案内.md',
    find: '一人10冊まで',
  },
  { ask: '马家大院的成人票多少钱？', file: '青石古镇旅游指南.txt', find: '成人票三十五元' },
  { ask: '火把节是什么时候？', file: '青石古镇旅游指南.txt', find: '六月二十四日' },
  { ask: '자전거 이용 요금은 얼마입니까?', file: '한강-자전거-대여.txt', find: '1,000원' },
  // Asked in other words than the text's, or in another language
  {
    ask: 'How much vacation do I get?',
    file: 'employee-handbook.md',
    find: '28 days of paid holiday',
  },
  { ask: 'When do we get our wages?', file: 'employee-handbook.md', find: '25th of every month' },
  {
    ask: 'I am sick, for how long do I keep my full wage?',
    file: 'employee-handbook.md',
    find: 'full salary for the first eight weeks',
  },
  {
    ask: 'Who pays for my desk when I work at home?',
    file: 'employee-handbook.md',
    find: '450 euros',
  },
  {
    ask: 'How quiet is the heat pump at night?',
    file: 'heat-pump-manual.txt',
    find: '47 dB(A) in night mode',
  },
  {
    ask: 'Which battery is in the control of the heat pump?',
    file: 'heat-pump-manual.txt',
    find: 'CR2032',
  },
  {
    ask: 'How do I get my money back if I return an article?',
    file: 'shop-faq.md',
    find: 'refund the money within five working days',
  },
  { ask: 'How many people are employed at Pomelo?', file: 'shop-faq.md', find: '46 people' },
  {
    ask: 'Why did the margin go down?',
    file: 'minutes-2025-05-06.md',
    find: 'freight became dearer',
  },
  { ask: 'How heavy is the cargo bike Pelican?', file: 'products.csv', find: 'BX-5002' },
  { ask: 'How much does the fountain pen Merle cost?', file: 'products.csv', find: 'OX-3030' },
  { ask: 'How many people live in Valletta?', file: 'european-cities.csv', find: '5157' },
  {
    ask: 'Kann ich eine Katze halten?',
    file: 'hausordnung-und-mietvertrag.md',
    find: 'Hunde und Katzen',
  },
  {
    ask: 'Wann wird die Mülltonne geleert?',
    file: 'hausordnung-und-mietvertrag.md',
    find: 'Restmülltonne',
  },
  { ask: 'Wie viele Einwohner hat Wien (Vienna)?', file: 'european-cities.csv', find: '2005760' },
  {
    ask: 'Quel est le prix d’une douche ?',
    file: 'guide-du-refuge.md',
    find: '3 euros pour quatre minutes',
  },
  {
    ask: '¿Qué pasa si cancelo el contrato antes de doce meses?',
    file: 'contrato-de-servicio.txt',
    find: 'penalización de 9 euros',
  },
  // The fixtures, a file of every format
  {
    ask: 'How long is the heating element covered?',
    file: 'warranty-handbook.docx',
    find: 'Warranty period: 5 years',
  },
  {
    ask: 'Where is the service centre for claims?',
    file: 'warranty-handbook.docx',
    find: 'service centre in Bergen',
  },
  {
    ask: 'Who pays for shipping a kettle within Sweden?',
    file: 'warranty-handbook.docx',
    find: 'Halvorsen pays for shipping',
  },
  {
    ask: 'How much revenue did the ferry company have?',
    file: 'annual-report.pdf',
    find: '218 million',
  },
  {
    ask: 'Which vessel is the oldest of the fleet?',
    file: 'annual-report.pdf',
    find: 'the Cormorant of 1988',
  },
  {
    ask: 'How many evacuation drills were held?',
    file: 'annual-report.pdf',
    find: '148 evacuation drills',
  },
  { ask: 'What do the robots cost?', file: 'project-heron.pptx', find: '2.6 million euros' },
  {
    ask: 'When does the pilot with twelve robots begin?',
    file: 'project-heron.pptx',
    find: 'January 2032',
  },
  {
    ask: 'What is the total budget of the department Engineering?',
    file: 'staff.xlsx',
    find: '46900',
  },
  {
    ask: 'What is the role of Hiro Yilmaz?',
    file: 'staff.xlsx',
    find: 'Employee: Hiro Yilmaz; Role: Captain',
  },
  { ask: 'Who keeps the wells in Korrin?', file: 'salt-road.epub', find: 'Abelard Finch' },
  {
    ask: 'How often should the membrane be replaced?',
    file: 'user-guide.md',
    find: 'every 18 months',
  },
  {
    ask: 'What does the amber light mean?',
    file: 'user-guide.md',
    find: 'Battery below 15 percent',
  },
  { ask: 'Who is the librarian in the lighthouse?', file: 'article.html', find: 'Casimir Roe' },
  { ask: 'Who is the mayor of Brackwater?', file: 'cities.csv', find: 'Osei, Kwame' },
  { ask: 'What is the price of the round oak table?', file: 'products.tsv', find: '449.00' },
  { ask: 'Wie hoch ist das Gehalt von Selin Öztürk?', file: 'employees.csv', find: '52.750,00' },
  { ask: 'Which port does the server use?', file: 'settings.json', find: '8443' },
  {
    ask: 'How many eels were counted?',
    file: 'interview.srt',
    find: 'Fourteen thousand two hundred',
  },
  { ask: 'When is the water turned off in Kestrel Lane?', file: 'letter.txt', find: '9 October' },
  {
    ask: 'Bis wann kann man kostenlos stornieren?',
    file: 'vertrag.txt',
    find: 'bis 30 Tage vor der Anreise',
  },
  {
    ask: 'Combien de temps la tarte reste-t-elle au four ?',
    file: 'recette.txt',
    find: 'trente-cinq minutes',
  },
  { ask: '年卡多少钱？', file: 'tongzhi.txt', find: '四百八十元' },
  {
    ask: 'Can I bring my dog to the mountain hut, and what does the half board cost in Trois Lacs?',
    file: 'guide-du-refuge.md',
    find: '54 euros',
  },
  {
    ask: 'Which hall does the pilot move to if it is late?',
    file: 'project-heron.pptx',
    find: 'moves to hall C',
  },
  {
    ask: 'What must the statement timeout stay below?',
    file: 'settings.json',
    find: 'nine seconds',
  },
  {
    ask: 'How long may the sourdough starter stay in the fridge?',
    file: 'lecture.vtt',
    find: 'Two weeks',
  },
  {
    ask: 'What does the extended warranty require?',
    file: 'warranty-handbook.docx',
    find: 'registered within 60 days',
  },
  { ask: 'Which days is the lighthouse library open?', file: 'article.html', find: 'Day: Friday' },
  {
    ask: 'How much salt is needed to calibrate the sensor?',
    file: 'user-guide.md',
    find: '35 grams of salt',
  },
  { ask: 'What happens to cars that block the gate?', file: 'letter.txt', find: 'towed away' },
  {
    ask: 'Was passiert, wenn ich die Miete zu spät zahle?',
    file: 'hausordnung-und-mietvertrag.md',
    find: 'Mahngebühr',
  },
  {
    ask: 'Wie oft wird das Treppenhaus gereinigt?',
    file: 'hausordnung-und-mietvertrag.md',
    find: 'wöchentlich',
  },
  {
    ask: 'Où trouve-t-on la trousse de secours ?',
    file: 'guide-du-refuge.md',
    find: 'local à skis',
  },
  {
    ask: '¿Cuánto se paga si no devuelvo el enrutador?',
    file: 'contrato-de-servicio.txt',
    find: '85 euros',
  },
  { ask: '学習室の席はいくつありますか。', file: '市立図書館利用案内.md', find: '86席' },
  { ask: '青年旅舍的床位每晚多少钱？', file: '青石古镇旅游指南.txt', find: '四十五元' },
  // Nothing in the documents answers these
  { ask: 'What is the population of Nairobi?' },
  { ask: 'Who is the chief executive of Larkspur Instruments?' },
  { ask: 'What is the melting point of tungsten?' },
  { ask: 'Which colour does the Tesla Roadster have?' },
  { ask: 'How many employees does the company Torchio have?' },
  { ask: 'What is the penalty for littering in Singapore?' },
  { ask: 'When was the Brooklyn Bridge built?' },
  { ask: 'Wie hoch ist die Grunderwerbsteuer in Hessen?' },
  { ask: 'Wer hat den Aufzug gebaut?' },
  { ask: 'Qui a écrit Les Misérables ?' },
  { ask: '¿Quién ganó la Copa del Mundo de 2010?' },
  { ask: '富士山の高さは何メートルですか。' },
  { ask: '北京有多少人口？' },
  { ask: 'What is the maximum load of the cargo bike Pelican?' },
  { ask: 'Who is the mayor of Hamburg?' },
  { ask: 'Which programming language is the Oystercatcher written in?' },
  { ask: 'Wie heißt die Tochter von Frau Oltmanns?' },
  { ask: 'How many floors does the new warehouse in Mechelen have?' },
  { ask: '¿Cuántos empleados tiene Telecomunicaciones Guadalmar?' },
  { ask: 'How long is the cord of the kettle covered?' },
  { ask: 'Who is the mayor of Osprey Island?' },
  { ask: 'What is the password of the database?' },
  { ask: 'Wie lautet die Telefonnummer des Vermieters der Ferienwohnung?' },
  { ask: 'How much does the company car policy pay for parking?' },
  { ask: 'Who founded Larkspur Instruments?' },
  { ask: 'How many employees work in Ghent?' },
  { ask: 'What is the noise level of the indoor unit?' },
  { ask: 'How long does the battery of the heat pump last?' },
  { ask: 'In which language is the manual of the Boreal 12 written?' },
  { ask: 'What colour is the standing desk Downward?' },
  { ask: 'Does Pomelo sell refrigerators?' },
  { ask: 'What is the phone number of the Pomelo showroom?' },
  { ask: 'Who is the president of Slovenia?' },
  { ask: 'What is the average temperature in Helsinki?' },
  { ask: 'How many pages does the annual report have?' },
  { ask: 'What is the top speed of the Petrel?' },
  { ask: 'When was the Kittiwake built?' },
  { ask: 'How old is Casimir Roe?' },
  { ask: 'Which company makes the antenna of the gateway?' },
  { ask: 'When was the Free Software Foundation established?' },
  { ask: 'Wie viele Wohnungen hat das Haus in der Lindenallee?' },
  { ask: 'Wann wurde der Aufzug zuletzt gewartet?' },
  { ask: 'Quel âge a la gardienne du refuge ?' },
  { ask: 'Combien pèse un bouquetin ?' },
  { ask: '¿Cuándo se fundó la empresa Guadalmar?' },
  { ask: '¿Cuánto mide el edificio Ñandú?' },
  { ask: '図書館には本が何冊ありますか。' },
  { ask: '乳扇多少钱一份？' },
  { ask: '자전거의 무게는 얼마입니까?' },
];
