;; Estimates inner products: of a question, whose numbers are signed bytes, with chunks, whose
;; numbers are levels from 0 to 15, two in a byte. See README.md for what the figures mean.
(module
  (import "host" "memory" (memory 1))

  ;; For each chunk: (2 · Σ level · question - $offset) · factor · $scale.
  (func (export "compare")
    (param $addresses i32) ;; where the addresses of the chunks' records are, 4 bytes each
    (param $count i32)     ;; of chunks, at least 1
    (param $question i32)  ;; where the question is: by blocks of 32 bytes, first the 16 numbers that
                           ;; meet the lower halves of 16 bytes of a record, then those of the upper
    (param $offset i32)    ;; 15 · Σ question: levels stand for 2 · level - 15
    (param $scale f32)
    (param $estimates i32) ;; where the results go, a float each
    (local $record i32) (local $number i32) (local $end i32)
    (local $block v128) (local $half v128) (local $few v128) (local $sum v128)

    (local.set $half (v128.const i8x16 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15))
    (local.set $end (i32.add (local.get $question) (i32.const 1536)))
    (loop $chunks
      (local.set $record (i32.add (i32.load (local.get $addresses)) (i32.const 16)))
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $number (local.get $question))

      ;; Four blocks at a time: eight sums of two products, each at most 127 · 15, fit 16 bits.
      (loop $blocks
        (local.set $few (v128.const i16x8 0 0 0 0 0 0 0 0))
        (local.set $block (v128.load (local.get $record)))
        (local.set $few
          (i16x8.add (local.get $few)
            (i16x8.relaxed_dot_i8x16_i7x16_s
              (v128.load (local.get $number))
              (v128.and (local.get $block) (local.get $half)))))
        (local.set $few
          (i16x8.add (local.get $few)
            (i16x8.relaxed_dot_i8x16_i7x16_s
              (v128.load offset=16 (local.get $number))
              (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $half)))))

        (local.set $block (v128.load offset=16 (local.get $record)))
        (local.set $few
          (i16x8.add (local.get $few)
            (i16x8.relaxed_dot_i8x16_i7x16_s
              (v128.load offset=32 (local.get $number))
              (v128.and (local.get $block) (local.get $half)))))
        (local.set $few
          (i16x8.add (local.get $few)
            (i16x8.relaxed_dot_i8x16_i7x16_s
              (v128.load offset=48 (local.get $number))
              (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $half)))))

        (local.set $block (v128.load offset=32 (local.get $record)))
        (local.set $few
          (i16x8.add (local.get $few)
            (i16x8.relaxed_dot_i8x16_i7x16_s
              (v128.load offset=64 (local.get $number))
              (v128.and (local.get $block) (local.get $half)))))
        (local.set $few
          (i16x8.add (local.get $few)
            (i16x8.relaxed_dot_i8x16_i7x16_s
              (v128.load offset=80 (local.get $number))
              (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $half)))))

        (local.set $block (v128.load offset=48 (local.get $record)))
        (local.set $few
          (i16x8.add (local.get $few)
            (i16x8.relaxed_dot_i8x16_i7x16_s
              (v128.load offset=96 (local.get $number))
              (v128.and (local.get $block) (local.get $half)))))
        (local.set $few
          (i16x8.add (local.get $few)
            (i16x8.relaxed_dot_i8x16_i7x16_s
              (v128.load offset=112 (local.get $number))
              (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $half)))))

        (local.set $sum
          (i32x4.add (local.get $sum) (i32x4.extadd_pairwise_i16x8_s (local.get $few))))
        (local.set $record (i32.add (local.get $record) (i32.const 64)))
        (local.set $number (i32.add (local.get $number) (i32.const 128)))
        (br_if $blocks (i32.lt_u (local.get $number) (local.get $end))))

      (f32.store (local.get $estimates)
        (f32.mul
          (f32.mul
            (f32.convert_i32_s
              (i32.sub
                (i32.shl
                  (i32.add
                    (i32.add
                      (i32x4.extract_lane 0 (local.get $sum))
                      (i32x4.extract_lane 1 (local.get $sum)))
                    (i32.add
                      (i32x4.extract_lane 2 (local.get $sum))
                      (i32x4.extract_lane 3 (local.get $sum))))
                  (i32.const 1))
                (local.get $offset)))
            ;; The factor: 768 bytes of levels were passed, and 8 more lie between.
            (f32.load (i32.sub (local.get $record) (i32.const 776))))
          (local.get $scale)))

      (local.set $addresses (i32.add (local.get $addresses) (i32.const 4)))
      (local.set $estimates (i32.add (local.get $estimates) (i32.const 4)))
      (br_if $chunks (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
